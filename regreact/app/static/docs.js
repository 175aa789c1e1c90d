// Sends the requests of the API page and shows the answers as text.
"use strict";

async function send(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll("[name]")) {
    if (!field.value) continue;
    if (field.dataset.in === "path") {
      const value = field.value.split("/").map(encodeURIComponent).join("/");
      path = path.replace(new RegExp(`\\{${field.name}(:path)?\\}`), () => value);
    } else {
      query.append(field.name, field.value);
    }
  }
  const body = form.querySelector("[data-in=body]");
  const address = query.size ? `${path}?${query}` : path;
  const answer = form.parentElement.querySelector(".answer");
  const [line, text] = answer.children;
  answer.hidden = false;
  line.textContent = `${form.dataset.method} ${address} …`;
  text.textContent = "";
  try {
    const options = { method: form.dataset.method };
    if (body) options.body = body.value;
    const reply = await fetch(address, options);
    const told = await reply.text();
    line.textContent = `${form.dataset.method} ${address}: ${reply.status} ${reply.statusText}`;
    try {
      text.textContent = JSON.stringify(JSON.parse(told), null, 1);
    } catch {
      text.textContent = told;
    }
  } catch (error) {
    line.textContent = `${address}: ${error.message}`;
  }
}

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

// A link to a record opens it.
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener("hashchange", openTarget);
openTarget();

// Keys of the review pages. Everything also works without this script.
"use strict";

const KEYS = {
  a: "accept", r: "reject", s: "skip", u: "undo", // buttons
  n: "next", j: "following", k: "previous", l: "list", // links
};

function typing(element) {
  return element.closest("input, textarea, select") !== null;
}

document.addEventListener("keydown", (event) => {
  const correct = document.getElementById("correct");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && correct) {
    event.preventDefault();
    correct.click();
    return;
  }
  // Enter in the note would press the first button.
  const inNote = event.key === "Enter" && event.target.id === "note";
  if (inNote) event.preventDefault();
  if ((event.key === "Escape" && typing(event.target)) || inNote) {
    event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing(event.target)) return;
  if (event.key === "c") {
    const field = document.querySelector("#correction :is(input:not([type=hidden]), select, textarea)");
    if (field) {
      event.preventDefault();
      field.focus();
    }
    return;
  }
  const element = document.getElementById(KEYS[event.key] || "");
  if (element && !element.disabled) {
    event.preventDefault();
    element.click();
  }
});

// A decision is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "1";
});
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

const own = document.getElementById("own");
if (own) {
  const pane = own.parentElement;
  pane.scrollTop = Math.max(0, own.offsetTop - pane.offsetTop - 80);
}

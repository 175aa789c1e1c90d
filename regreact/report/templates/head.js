"use strict";
// Before the body is read: what is folded away at first need not be laid out, and no theme flashes up.
document.documentElement.classList.add("js");
// Storage may be refused (private windows, some browsers on file://): the choice then lasts as long as the page.
const theme = (value) => {
  try {
    if (value) localStorage.setItem("regreact-theme", value);
    value = localStorage.getItem("regreact-theme");
  } catch { /* kept by nobody */ }
  if (value === "dark" || value === "light") document.documentElement.dataset.theme = value;
};
theme();

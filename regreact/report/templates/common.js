"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  // Storage may be refused (private windows, some browsers on file://): the choice then lasts as long as the page.
  const stored = (value) => {
    try {
      if (value) localStorage.setItem("regreact-theme", value);
      return localStorage.getItem("regreact-theme");
    } catch { return null; }
  };
  const set = (theme) => { if (theme === "dark" || theme === "light") root.dataset.theme = theme; };
  set(stored());
  document.getElementById("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    set(now === "dark" ? "light" : "dark");
    stored(root.dataset.theme);
  });
  document.addEventListener("keydown", (e) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      dispatchEvent(new Event("regreact-find"));
      document.getElementById("find").focus();
    }
  });
})();

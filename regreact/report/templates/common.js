"use strict";
(() => {
  document.getElementById("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme
      || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    theme(now === "dark" ? "light" : "dark");
  });
  document.addEventListener("keydown", (e) => {
    const typing = e.target.matches("input:not([type=checkbox]), select, textarea");
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      dispatchEvent(new Event("regreact-find"));
      document.getElementById("find").focus();
    }
  });
})();

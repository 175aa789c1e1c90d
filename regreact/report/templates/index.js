(() => {
  const byId = (id) => document.getElementById(id);
  const body = document.querySelector("#units tbody"), rows = [...body.rows];
  const heads = [...document.querySelectorAll("#units th")];
  const texts = rows.map((r) => r.textContent.toLowerCase());
  const filter = () => {
    const wanted = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const objective = byId("objective").value, flagged = byId("flagged").checked;
    let n = 0;
    rows.forEach((row, i) => {
      const fits = wanted.every((w) => texts[i].includes(w)) && (!objective || row.dataset.objective === objective)
        && (!flagged || Number(row.dataset.flags) > 0);
      row.classList.toggle("out", !fits);
      n += fits;
    });
    byId("found").textContent = n === rows.length ? "" : `${n} of ${rows.length}`;
    byId("nothing").hidden = n > 0;
  };
  for (const id of ["find", "objective", "flagged"]) byId(id).addEventListener("input", filter);
  byId("find").addEventListener("keydown", (e) => {
    if (e.key === "Escape") { byId("find").value = ""; filter(); }
    if (e.key === "Enter") { const first = rows.find((r) => !r.classList.contains("out")); if (first) first.querySelector("a").click(); }
  });
  const value = (row, k) => row.cells[k].dataset.v ?? row.cells[k].textContent;
  const order = new Intl.Collator("en", { numeric: true });
  heads.forEach((head, k) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const h of heads) h.setAttribute("aria-sort", h === head ? (down ? "descending" : "ascending") : "none");
    const sorted = [...body.rows].sort((a, b) => order.compare(value(a, k), value(b, k)) * (down ? -1 : 1));
    body.append(...sorted);
  }));
  filter();
})();

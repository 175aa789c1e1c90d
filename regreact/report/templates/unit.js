(() => {
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const tree = byId("tree"), panels = $(".panels"), find = byId("find"), found = byId("found");
  const items = $$("[role=treeitem]", tree);
  const blocks = new Map($$(".block[data-index]").map((li) => [Number(li.dataset.index), li]));
  const texts = new Map([...blocks].map(([i, li]) => [i, $(".t", li).textContent]));
  const boxes = new Map($$("#graph a").map((a) => [a.getAttribute("href"), $(".box", a)]));
  const source = $(".panel[data-name=source]"), details = $(".panel[data-name=details]");
  let current = null, marked = [], field = null, shownBox = null;

  // Scrolls inside a panel only, so that the page stays where it is.
  const reveal = (el, panel, share = 0.3) => {
    if (panel.scrollHeight <= panel.clientHeight + 1) return;
    const a = el.getBoundingClientRect(), b = panel.getBoundingClientRect();
    if (a.top < b.top + 40 || a.bottom > b.bottom - 10) panel.scrollTop += a.top - b.top - Math.max(50, share * b.height);
  };

  // Evidence counts characters (code points); a string here counts UTF-16 units.
  const mark = (spans) => {
    for (const i of marked) $(".t", blocks.get(i)).textContent = texts.get(i);
    const perBlock = new Map();
    for (const [block, start, end] of spans)
      if (texts.has(block)) perBlock.set(block, [...(perBlock.get(block) || []), [start, end]]);
    marked = [...perBlock.keys()].sort((a, b) => a - b);
    for (const i of marked) {
      const chars = Array.from(texts.get(i)), out = document.createDocumentFragment();
      let at = 0;
      for (const [start, end] of perBlock.get(i).sort((a, b) => a[0] - b[0])) {
        const from = Math.max(at, start), to = Math.min(end, chars.length);
        if (to <= from) continue;
        out.append(chars.slice(at, from).join(""));
        const m = document.createElement("mark");
        m.textContent = chars.slice(from, to).join("");
        out.append(m);
        at = to;
      }
      out.append(chars.slice(at).join(""));
      $(".t", blocks.get(i)).replaceChildren(out);
    }
    const first = marked.length && $("mark", blocks.get(marked[0]));
    if (first) reveal(first, source);
  };
  const spansOf = (button) => JSON.parse(button.dataset.spans || "[]");
  const allSpans = (article) => {
    const spans = $$(".field[data-field]", article)
      .filter((f) => !["rule_summary", "criterion_id"].includes(f.dataset.field))
      .flatMap((f) => $$(".how .ev", f).flatMap(spansOf));
    return spans;
  };
  const press = (article, button) => {
    for (const b of $$(".ev", article)) b.setAttribute("aria-pressed", String(b === button));
    for (const f of $$(".field.sel", article)) f.classList.remove("sel");
    const row = button.closest(".field");
    if (row) row.classList.add("sel");
    mark(button.dataset.all ? allSpans(article) : spansOf(button));
  };

  const parentItem = (item) => item.parentElement.closest("[role=treeitem]");
  const isOpen = (item) => item.getAttribute("aria-expanded") === "true";
  const toggle = (item, open) => { if (item.hasAttribute("aria-expanded")) item.setAttribute("aria-expanded", String(open)); };

  const select = (anchor, { focus = false, panel = "", keepAddress = false } = {}) => {
    const article = byId(anchor), item = byId("t-" + anchor);
    if (!article || !item) return false;
    if (current) {
      current.item.setAttribute("aria-selected", "false");
      current.item.tabIndex = -1;
      current.article.classList.remove("on");
    }
    current = { item, article, anchor };
    for (let up = parentItem(item); up; up = parentItem(up)) toggle(up, true);
    item.setAttribute("aria-selected", "true");
    item.tabIndex = 0;
    article.classList.add("on");
    details.scrollTop = 0;
    for (const li of $$(".block.own")) li.classList.remove("own");
    const own = article.dataset.block === "" ? null : blocks.get(Number(article.dataset.block));
    if (own) own.classList.add("own");
    // The field last looked at stays chosen where this criterion has evidence for it.
    const kept = field && $(`.field[data-field="${field}"] .how .ev`, article);
    press(article, kept || $(".ev.all", article));
    if (own && !marked.length) reveal(own, source);
    if (shownBox) shownBox.classList.remove("on");
    shownBox = [...boxes].find(([href]) => decodeURIComponent(href.slice(1)) === anchor)?.[1] || null;
    if (shownBox) shownBox.classList.add("on");
    if (focus) item.focus({ preventScroll: true });
    reveal($(".row", item), $(".panel[data-name=tree]"));
    if (panel) show(panel);
    if (!keepAddress) history.replaceState(null, "", "#" + encodeURIComponent(anchor));
    return true;
  };
  const show = (name) => {
    panels.dataset.panel = name;
    for (const b of $$(".switch button")) b.setAttribute("aria-pressed", String(b.dataset.panel === name));
  };
  const narrow = () => matchMedia("(max-width:720px)").matches;

  tree.addEventListener("click", (e) => {
    const row = e.target.closest(".row"), item = row && row.parentElement;
    if (!item) return;
    if (e.target.closest(".twist") && item.hasAttribute("aria-expanded")) toggle(item, !isOpen(item));
    select(item.dataset.node, { focus: true, panel: narrow() && !e.target.closest(".twist") ? "details" : "" });
  });
  const visible = () => items.filter((i) => i.offsetParent !== null);
  tree.addEventListener("keydown", (e) => {
    const item = e.target.closest("[role=treeitem]");
    if (!item || e.ctrlKey || e.metaKey || e.altKey) return;
    const go = (to) => to && select(to.dataset.node, { focus: true });
    const near = (step) => { const all = visible(); return all[all.indexOf(item) + step]; };
    const keys = {
      ArrowDown: () => go(near(1)),
      ArrowUp: () => go(near(-1)),
      ArrowRight: () => item.hasAttribute("aria-expanded") && (isOpen(item) ? go(near(1)) : toggle(item, true)),
      ArrowLeft: () => (isOpen(item) ? toggle(item, false) : go(parentItem(item))),
      Home: () => go(visible()[0]),
      End: () => go(visible().at(-1)),
      " ": () => toggle(item, !isOpen(item)),
      Enter: () => { select(item.dataset.node, { panel: "details" }); byId(item.dataset.node).focus(); },
      "*": () => { for (const i of item.parentElement.children) toggle(i, true); },
    };
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
  details.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && current) { show("tree"); current.item.focus(); }
  });
  details.addEventListener("click", (e) => {
    const button = e.target.closest(".ev"), row = e.target.closest(".field[data-field]");
    const chosen = button || (!e.target.closest("a,summary,button") && row && $(".how .ev", row));
    if (!chosen) return;
    if (chosen.closest(".how") || chosen.dataset.all) field = row ? row.dataset.field : null;
    press(chosen.closest(".detail"), chosen);
    if (button && narrow() && marked.length) { show("source"); blocks.get(marked[0]).scrollIntoView({ block: "center" }); }
  });
  source.addEventListener("click", (e) => {
    const button = e.target.closest("button[data-to]") || (!String(getSelection()) && e.target.closest(".block") && $("button[data-to]", e.target.closest(".block")));
    if (button) select(button.dataset.to, { panel: narrow() ? "details" : "" });
  });
  for (const b of $$(".switch button")) b.addEventListener("click", () => show(b.dataset.panel));
  byId("open").addEventListener("click", () => items.forEach((i) => toggle(i, true)));
  byId("close").addEventListener("click", () => {
    items.forEach((i) => toggle(i, i === items[0]));
    let up = current && current.item, top = up;
    while (up && up !== items[0]) { top = up; up = parentItem(up); }
    if (top) select(top.dataset.node);
  });

  // Search: criteria that hold all words stay, with those above them.
  let index = null, hits = [];
  const search = () => {
    index ||= items.map((i) => ($(".row", i).textContent + " " + byId(i.dataset.node).textContent).toLowerCase());
    const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    hits = wanted.length ? items.filter((_, k) => wanted.every((w) => index[k].includes(w))) : [];
    const keep = new Set();
    for (const hit of hits) for (let i = hit; i && !keep.has(i); i = parentItem(i)) { keep.add(i); if (i !== hit) toggle(i, true); }
    for (const i of items) i.classList.toggle("out", wanted.length > 0 && !keep.has(i));
    found.textContent = wanted.length ? `${hits.length} found` : "";
  };
  find.addEventListener("input", search);
  find.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && hits.length) {
      const at = hits.findIndex((h) => current && h === current.item);
      select(hits[(at + 1) % hits.length].dataset.node, { panel: narrow() ? "tree" : "" });
    } else if (e.key === "ArrowDown") { e.preventDefault(); (hits[0] || current.item).focus(); if (hits[0]) select(hits[0].dataset.node); }
    else if (e.key === "Escape") { find.value = ""; search(); if (current) current.item.focus(); }
  });
  addEventListener("regreact-find", () => { if (narrow()) show("tree"); });

  for (const box of $$("[data-edges]"))
    box.addEventListener("change", () => {
      for (const path of $$("svg path.e.e-" + box.dataset.edges)) path.classList.toggle("off", !box.checked);
    });
  // Links to criteria select them; other links within the page work as always.
  document.addEventListener("click", (e) => {
    const link = e.target.closest('a[href^="#"]');
    const href = link && link.getAttribute("href");
    if (!href || !href.startsWith("#c:")) return;
    e.preventDefault();
    select(decodeURIComponent(href.slice(1)), { panel: "details" });
    if (link.closest("main > section:not(#criteria)")) byId("criteria").scrollIntoView();
  });
  const follow = () => { try { return select(decodeURIComponent(location.hash.slice(1)), { panel: "details" }); } catch { return false; } };
  addEventListener("hashchange", follow);
  // An address written while the page loads would make the browser jump there.
  if (!follow()) select((items[1] || items[0]).dataset.node, { keepAddress: true });
  // The browser itself jumps to the linked criterion's details, which stand in a panel already.
  else addEventListener("load", () => setTimeout(() => scrollTo(0, 0)));
})();

"use strict";
// Filters, keys and themes. Without it the page can still be read: files fold by themselves.
(() => {
  const root = document.documentElement;
  const form = document.querySelector(".filters");
  const files = [...document.querySelectorAll("details.file")];
  const none = document.querySelector(".none");
  const dialog = document.querySelector("dialog");
  const bars = [...document.querySelectorAll("button.bar")];
  const texts = new Map();
  root.classList.add("js");

  const textOf = (file) => {
    if (!texts.has(file)) texts.set(file, file.textContent.toLowerCase());
    return texts.get(file);
  };
  const words = (text) => text.split(" ").filter(Boolean);

  const filter = () => {
    const verdicts = new Set([...form.elements.verdict].filter((box) => box.checked).map((box) => box.value));
    const code = form.elements.code.value;
    const folder = form.elements.folder.value;
    const path = form.elements.path.value.trim().toLowerCase();
    const text = form.elements.text.value.trim().toLowerCase();
    let shown = 0;
    for (const file of files) {
      const data = file.dataset;
      const own = words(data.verdicts);
      const fits =
        (own.length === 0 || own.some((verdict) => verdicts.has(verdict))) &&
        (!code || words(data.codes).includes(code)) &&
        (!folder || `${data.folder}/`.startsWith(`${folder}/`)) &&
        (!path || data.path.toLowerCase().includes(path)) &&
        (!text || textOf(file).includes(text));
      file.hidden = !fits;
      shown += fits;
    }
    for (const note of document.querySelectorAll("tr.note")) note.hidden = Boolean(code) && note.dataset.code !== code;
    for (const bar of bars) bar.setAttribute("aria-pressed", String(form.elements[bar.dataset.filter].value === bar.dataset.value));
    none.hidden = shown > 0 || files.length === 0;
    form.elements.count.value = `${shown} of ${files.length} files`;
  };

  const openAll = (open) => files.forEach((file) => { if (!file.hidden) file.open = open; });
  const otherTheme = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme || (dark ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    form.elements.theme.setAttribute("aria-pressed", String(root.dataset.theme !== (dark ? "dark" : "light")));
  };

  // The next of a list from where the focus is; the list is in the order of the page.
  const step = (list, forward) => {
    const here = document.activeElement;
    const behind = (one) => here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
    const before = (one) => here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
    const next = here === document.body ? list[forward ? 0 : list.length - 1] : forward ? list.find(behind) : list.filter(before).pop();
    if (!next) return;
    const file = next.closest("details.file");
    if (next.tagName !== "SUMMARY") file.open = true;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };
  const summaries = () => files.filter((file) => !file.hidden).map((file) => file.firstElementChild);
  const remarks = () => files.filter((file) => !file.hidden).flatMap((file) => [...file.querySelectorAll("tr.note:not([hidden]) [tabindex]")]);

  const keys = {
    j: () => step(summaries(), true),
    k: () => step(summaries(), false),
    n: () => step(remarks(), true),
    p: () => step(remarks(), false),
    o: () => { const file = document.activeElement.closest("details.file"); if (file) file.open = !file.open; },
    t: otherTheme,
    "/": () => form.elements.text.focus(),
    "?": () => dialog.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest("input, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (act) { event.preventDefault(); act(); }
  });

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.elements.clear.addEventListener("click", () => { form.reset(); filter(); });
  form.elements.expand.addEventListener("click", () => openAll(true));
  form.elements.collapse.addEventListener("click", () => openAll(false));
  form.elements.theme.addEventListener("click", otherTheme);
  form.elements.help.addEventListener("click", () => dialog.showModal());
  for (const bar of bars) bar.addEventListener("click", () => {
    const field = form.elements[bar.dataset.filter];
    field.value = field.value === bar.dataset.value ? "" : bar.dataset.value;
    filter();
  });
  // A link may lead to what is filtered away or folded.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#refusal-"]');
    if (!link) return;
    const target = document.getElementById(link.hash.slice(1));
    if (target.closest("[hidden]")) { form.reset(); filter(); }
    target.closest("details.file").open = true;
    target.focus();
  });
  // Paper does not unfold.
  let folded = [];
  addEventListener("beforeprint", () => { folded = files.filter((file) => !file.open); folded.forEach((file) => { file.open = true; }); });
  addEventListener("afterprint", () => folded.forEach((file) => { file.open = false; }));
  filter();
})();

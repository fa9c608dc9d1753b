// Filters the rows of the table; everything is readable without.
"use strict";
const form = document.querySelector("form.filters");
const rows = [...document.querySelectorAll("#rows tr")];
const bars = [...document.querySelectorAll("button.bar")];
document.documentElement.classList.add("js");

function filter() {
  const code = form.code.value;
  const name = form.elements.name.value.toLowerCase();
  let count = 0;
  for (const row of rows) {
    const fits = (!code || row.dataset.codes.split(" ").includes(code)) && row.dataset.name.toLowerCase().includes(name);
    row.hidden = !fits;
    count += fits;
  }
  form.count.value = `${count} repositor${count === 1 ? "y" : "ies"}`;
  for (const bar of bars) bar.setAttribute("aria-pressed", String(bar.dataset.value === code));
}

form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
for (const bar of bars) {
  bar.addEventListener("click", () => {
    form.code.value = form.code.value === bar.dataset.value ? "" : bar.dataset.value;
    filter();
  });
}
form.theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  form.theme.setAttribute("aria-pressed", String(!dark));
});

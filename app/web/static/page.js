// What the pages share: the switch of colours, the token of the forms, "/" and the arrows, copying.
"use strict";

const root = document.documentElement;

document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
  document.dispatchEvent(new CustomEvent("theme"));
});

// Every request of htmx carries the token that the server asks of whatever changes something.
document.addEventListener("htmx:config:request", (event) => {
  event.detail.ctx.request.headers["X-CSRF-Token"] =
    document.querySelector('meta[name="csrf-token"]').content;
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const said = button.textContent;
  button.textContent = button.dataset.copied ?? "✓";
  setTimeout(() => { button.textContent = said; }, 1200);
});

const isTyping = (element) => element.matches("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const box = document.getElementById("q");
  if (event.key === "/" && !isTyping(event.target)) {
    event.preventDefault();
    if (box) { box.focus(); box.select(); } else location.href = "/";
    return;
  }
  if (event.key === "Escape" && box && event.target.closest("#found")) {
    box.focus();
    return;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...document.querySelectorAll("[data-result]")];
  const at = links.indexOf(document.activeElement);
  if (!links.length || (at < 0 && event.target !== box && event.target.id !== "found")) return;
  const next = event.key === "ArrowDown" ? at + 1 : at - 1;
  event.preventDefault();
  if (next < 0) box?.focus();
  else links[Math.min(next, links.length - 1)].focus();
});

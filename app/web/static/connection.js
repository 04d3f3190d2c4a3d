// When the program does not answer: a banner says so, what is shown is greyed, and it is asked again with
// growing pauses. Scripts that fetch tell of it by the event "unanswered", and are told by "answering".
"use strict";
{
  const banner = document.getElementById("unanswered");
  const line = banner.querySelector("p");
  const FIRST = 500, LONGEST = 15000; // milliseconds between two attempts
  let pause = FIRST;
  let waiting;
  const isGone = () => document.documentElement.classList.contains("gone");
  const say = (text, address) => {
    if (line.dataset.said === text) return;
    line.dataset.said = text;
    const said = document.createElement(address ? "a" : "span");
    if (address) said.href = address;
    said.textContent = text;
    line.replaceChildren(said);
  };
  const mark = (gone) => {
    document.documentElement.classList.toggle("gone", gone);
    // Old results are no answer to new words: they can be seen, and neither read out nor opened.
    for (const part of document.querySelectorAll("[data-answers]")) part.inert = gone;
    banner.hidden = !gone;
  };
  const ask = async () => {
    clearTimeout(waiting);
    let status = 0;
    try {
      status = (await fetch("/alive", { cache: "no-store" })).status;
    } catch {
      // No answer at all: the status stays 0.
    }
    if (status === 204) {
      const was = isGone();
      mark(false);
      pause = FIRST;
      if (was) document.dispatchEvent(new Event("answering"));
      return;
    }
    // Started anew it knows no browser any more; one may come in meanwhile, in another tab.
    if (status === 401) say(banner.dataset.anew, "/enter");
    else say(banner.dataset.gone);
    mark(true);
    waiting = setTimeout(ask, pause);
    pause = Math.min(pause * 2, LONGEST);
  };
  const unanswered = () => {
    if (isGone()) return;
    say(banner.dataset.gone);
    mark(true);
    pause = FIRST;
    waiting = setTimeout(ask, pause);
  };
  document.addEventListener("unanswered", unanswered);
  document.addEventListener("htmx:error", ({ detail }) => {
    // A request that was sent and got nothing; what went wrong in the page itself is no sign of it.
    if (detail.ctx?.request && !detail.ctx.response && detail.error?.name !== "AbortError") unanswered();
  });
  addEventListener("online", () => { if (isGone()) ask(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
}

// Ask: sends a question, shows what is done about it as it happens, and carries a person's word on a write.
"use strict";
{
  const form = document.getElementById("talk");
  const question = document.getElementById("question");
  const turns = document.getElementById("turns");
  const send = document.getElementById("send");
  const stop = document.getElementById("stop");
  const page = document.querySelector(".talk");
  const token = document.querySelector('meta[name="csrf-token"]').content;

  // Answers of this server are templates in which all text was escaped, or Markdown that was sanitised.
  const made = (html) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    return holder.content.firstElementChild;
  };

  const post = (address, fields) => fetch(address, {
    method: "POST",
    headers: { "X-CSRF-Token": token, "HX-Request": "true" },
    body: new URLSearchParams(fields),
  });

  const busy = (isBusy) => {
    send.hidden = isBusy;
    stop.hidden = !isBusy;
    stop.disabled = false;
    question.readOnly = isBusy;
  };

  // What somebody who does not see the page is told of it.
  const tell = (text) => { document.getElementById("heard").textContent = text; };

  const nearEnd = () => innerHeight + scrollY > document.documentElement.scrollHeight - 160;
  const keepNear = (wasNear) => { if (wasNear) scrollTo(0, document.documentElement.scrollHeight); };

  // Windows of one browser tell each other of what they begin; each then follows it at the server.
  const windows = new BroadcastChannel("talk");

  let article = null;
  const place = (number) => document.getElementById(`turn-${number}`);
  // What was typed stays.
  const reload = (typed = question.value) => {
    if (typed) location.assign(`/ask?${new URLSearchParams({ q: typed })}`);
    else location.reload();
  };
  const events = {
    begin({ number, html }) {
      document.getElementById("empty").hidden = true;
      document.getElementById("afresh").hidden = false;
      const old = place(number);
      const last = turns.lastElementChild;
      // Another window asked meanwhile: its turns are shown first.
      if (!old && number > (last ? Number(last.id.slice("turn-".length)) : 0) + 1) { reload(); return; }
      article = made(html);
      if (old) old.replaceWith(article); else turns.append(article);
      if (!old) article.scrollIntoView({ block: "start" });
      tell(page.dataset.looking);
    },
    step({ text }) {
      const item = document.createElement("li");
      item.textContent = text;
      article.querySelector(".steps ol").append(item);
    },
    said({ html }) {
      const holder = document.createElement("template");
      holder.innerHTML = html;
      article.querySelector(".said").replaceChildren(holder.content);
    },
    asked({ id, html }) {
      if (document.getElementById(`write-${id}`)) return;
      const card = made(html);
      article.querySelector(".proposals").append(card);
      // The card, not its button: a key that was meant for something else must not approve.
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: "nearest" });
    },
    decided({ id, html }) {
      const old = document.getElementById(`write-${id}`);
      const held = old.contains(document.activeElement);
      const card = made(html);
      old.replaceWith(card);
      if (held) card.focus({ preventScroll: true });
    },
    end({ html }) {
      const held = article.contains(document.activeElement) || document.activeElement === document.body;
      const whole = made(html);
      article.replaceWith(whole);
      article = null;
      tell(whole.querySelector(".answer") ? page.dataset.answered : page.dataset.unanswered);
      if (held) question.focus({ preventScroll: true });
      whole.scrollIntoView({ block: "start" });
      if (whole.querySelector(".answer")) document.getElementById("save").hidden = false;
    },
  };

  // One event is "event: NAME", "data: JSON" and an empty line.
  async function* received(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const [name, data] = part.split("\n");
        yield [name.slice("event: ".length), JSON.parse(data.slice("data: ".length))];
      }
    }
  }

  const complain = (place, message) => {
    const box = made('<div class="message error" role="alert"><p></p></div>');
    box.firstElementChild.textContent = message;
    place.replaceChildren(box);
  };

  // Whether the turn ended; where the connection did, and not the turn, it can be followed anew.
  const follow = async (response, isOwn = false) => {
    for await (const [name, data] of received(response)) {
      if (name === "begin" && isOwn) windows.postMessage(data.number);
      const wasNear = nearEnd();
      events[name](data);
      if (name === "step" || name === "said") keepNear(wasNear);
      if (name === "end") return true;
    }
    return false;
  };

  const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

  // The server answers on whether or not a page listens, so that a page may come back to a turn.
  const rejoin = async (number) => {
    busy(true);
    try {
      for (let tries = 0; tries < 6; tries += 1) {
        try {
          const response = await fetch(`/ask/turns/${number}/events`);
          if (response.status === 404 || response.status === 401) break;
          // A server that answers is there, however often the connection breaks.
          if (response.ok) tries = 0;
          if (response.ok && await follow(response)) return;
        } catch { /* the connection broke; it is tried again */ }
        await pause(500 * 2 ** tries);
      }
      complain(place(number).querySelector(".refusal"), page.dataset.gone);
      place(number).removeAttribute("aria-busy");
      article = null;
    } finally {
      busy(false);
    }
  };

  const lastShown = () => Number(turns.lastElementChild?.id.slice("turn-".length) ?? 0);

  // Who answered a question before does so again; of a new one the server decides.
  async function ask(mode) {
    const said = document.getElementById("said");
    said.replaceChildren();
    const fields = new FormData(form);
    if (mode) fields.set("mode", mode);
    busy(true);
    try {
      // A server that was started anew begins another talk: what is shown here is one of the earlier ones there.
      if ((await (await fetch("/ask/now")).json()).last < lastShown()) {
        reload(fields.get("question"));
        return;
      }
      const response = await post(form.action, fields);
      if (!response.ok) {
        said.replaceChildren(made(await response.text()));
        const now = await (await fetch("/ask/now")).json();
        // Another window's turn is shown; what was typed here stays.
        if (now.running) reload(fields.get("question"));
        return;
      }
      question.value = "";
      if (await follow(response, true)) return;
    } catch {
      if (!article) {
        if (!question.value) question.value = fields.get("question");
        complain(said, page.dataset.gone);
        document.dispatchEvent(new Event("unanswered"));
        return;
      }
    } finally {
      busy(false);
    }
    await rejoin(article.id.slice("turn-".length));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (stop.hidden && question.value.trim()) ask();
  });

  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });

  stop.addEventListener("click", () => {
    stop.disabled = true;
    post("/ask/stop", {});
  });

  document.addEventListener("submit", async (event) => {
    const sent = event.target;
    const isDecision = "decides" in sent.dataset;
    const turn = sent.dataset.turn;
    const into = sent.dataset.into;
    if (!isDecision && !turn && !into) return;
    event.preventDefault();
    const fields = new FormData(sent, event.submitter);
    const buttons = [...sent.querySelectorAll("button")];
    for (const button of buttons) button.disabled = true;
    const response = await post(sent.action, fields);
    if (isDecision && response.ok) return;
    for (const button of buttons) button.disabled = false;
    const html = made(await response.text());
    if (into) document.getElementById(into).replaceChildren(html);
    else if (response.ok) {
      document.getElementById(`turn-${turn}`).replaceWith(html);
      html.focus({ preventScroll: true });
    } else sent.closest(".turn").querySelector(".refusal").replaceChildren(html);
  });

  // What was sent is asked for when somebody wants to see it; "toggle" does not bubble.
  document.addEventListener("toggle", async (event) => {
    const { sent } = event.target.dataset;
    const place = event.target.querySelector(":scope > .left-texts");
    if (!sent || !event.target.open || place.childElementCount) return;
    const response = await fetch(sent, { headers: { "HX-Request": "true" } });
    place.replaceChildren(made(await response.text()));
  }, true);

  document.addEventListener("click", async (event) => {
    const { copyOf: copy, copied, again, mode } = event.target.dataset;
    if (copy) {
      const response = await fetch(copy);
      // Over plain HTTP from another machine a page may not copy: its text is shown, to be copied by hand.
      if (!response.ok || !navigator.clipboard) { location.assign(copy); return; }
      await navigator.clipboard.writeText(await response.text());
      event.target.textContent = copied;
      tell(copied);
    }
    if (again === undefined || !stop.hidden) return;
    question.value = again;
    ask(mode);
  });

  // A turn that runs is followed, whichever page began it; one begun elsewhere meanwhile is met on return.
  const running = turns.querySelector('.turn[aria-busy="true"]');
  if (running) rejoin(running.id.slice("turn-".length));
  const lookAgain = async () => {
    if (document.hidden || !stop.hidden || question.value) return;
    try {
      const now = await (await fetch("/ask/now")).json();
      if (now.last !== lastShown()) location.reload();
    } catch { /* without a server there is nothing new to show */ }
  };
  windows.addEventListener("message", ({ data }) => {
    if (!data) lookAgain();
    else if (stop.hidden) rejoin(data);
  });
  // A talk that was begun afresh, or gone on with.
  windows.postMessage(0);
  document.addEventListener("visibilitychange", lookAgain);
  addEventListener("focus", lookAgain);

  // A question that came along with the address is asked for, not sent: a link must not make work.
  if (question.value) question.focus();
  else if (matchMedia("(hover: hover)").matches) question.focus({ preventScroll: true });
  const last = turns.lastElementChild;
  if (last) last.scrollIntoView({ block: "start" });
}

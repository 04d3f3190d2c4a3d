// Ask: sends a question, shows what is done about it as it happens, and carries a person's word on a write.
"use strict";
{
  const form = document.getElementById("talk");
  const question = document.getElementById("question");
  const turns = document.getElementById("turns");
  const send = document.getElementById("send");
  const stop = document.getElementById("stop");
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
  const follow = (wasNear) => { if (wasNear) scrollTo(0, document.documentElement.scrollHeight); };

  let article = null;
  const events = {
    begin({ html }) {
      document.getElementById("empty").hidden = true;
      document.getElementById("afresh").hidden = false;
      article = made(html);
      turns.append(article);
      article.scrollIntoView({ block: "start" });
      tell("Looking");
    },
    step({ text }) {
      const item = document.createElement("li");
      item.append(document.createElement("code"));
      item.firstChild.textContent = text;
      article.querySelector(".steps ol").append(item);
    },
    text({ text }) {
      article.querySelector(".said").append(text);
    },
    asked({ html }) {
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
      tell(whole.querySelector(".answer") ? "Answered" : "There is no answer");
      if (held) question.focus({ preventScroll: true });
      whole.scrollIntoView({ block: "start" });
      document.querySelector(".chat-only").hidden =
        !document.querySelector('input[name="mode"][value="chat"]').checked;
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

  async function ask() {
    const said = document.getElementById("said");
    said.replaceChildren();
    const fields = new FormData(form);
    busy(true);
    try {
      const response = await post(form.action, fields);
      if (!response.ok) {
        said.replaceChildren(made(await response.text()));
        return;
      }
      question.value = "";
      for await (const [name, data] of received(response)) {
        const wasNear = nearEnd();
        events[name](data);
        if (name === "step" || name === "text") follow(wasNear);
      }
      if (article) throw new Error("the answer broke off");
    } catch {
      if (!question.value) question.value = fields.get("question");
      complain(article ? article.querySelector(".refusal") : said,
        "The program does not answer any more. See whether it still runs, then load the page again.");
      if (article) article.removeAttribute("aria-busy");
      article = null;
    } finally {
      busy(false);
    }
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

  // A question that came along with the address is asked for, not sent: a link must not make work.
  if (question.value) question.focus();
  else if (matchMedia("(hover: hover)").matches) question.focus({ preventScroll: true });
  const last = turns.lastElementChild;
  if (last) last.scrollIntoView({ block: "start" });
}

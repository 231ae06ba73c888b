// Watching: two engines against each other, or a game of a file.

import { button, field, h, notice, select } from "./dom.js";
import { engineFields, rulesFields } from "./form.js";
import { choices, post } from "./net.js";
import { open } from "./play.js";
import { Replay } from "./replay.js";

const LARGEST_FILE = 8 * 1024 * 1024;
const TIMES = [[100, "0.1 s"], [500, "0.5 s"], [1000, "1 s"], [3000, "3 s"], [10000, "10 s"]];

export function watchView(main, query, go) {
  const live = h("div");
  const games = h("div");
  let replay = null;
  const show = async (text) => {
    if (!text.trim()) return notice("paste the text of a record, or open a file");
    if (text.length > LARGEST_FILE) return notice("a file may have 8 MiB");
    try {
      const answer = await post("/api/records", text);
      replay?.close();
      replay = new Replay(answer);
      games.replaceChildren(replay.element);
      games.scrollIntoView({ block: "start" });
    } catch (error) {
      notice(error.message);
    }
    return undefined;
  };
  main.append(h("h1", { text: "Watch" }), h("div", { class: "columns" }, live, fileForm(show)), games);
  choices().then((offered) => live.append(liveForm(offered, go)))
    .catch((error) => live.append(h("p", { class: "card", text: `The server does not answer: ${error.message}` })));
  return { close: () => replay?.close() };
}

function liveForm(offered, go) {
  const rules = rulesFields(offered);
  const south = engineFields(offered, rules, "South");
  const north = engineFields(offered, rules, "North");
  const time = select(TIMES, 1000);
  const start = h("button", { type: "submit", class: "main", text: "Start and watch" });
  const form = h("form", { class: "card form" }, h("h2", { text: "Engine against engine" }),
    ...rules.elements, ...south.elements, ...north.elements, field("Time a turn", time), start);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    start.disabled = true;
    const move_ms = Number(time.value);
    const request = { ...rules.value(), south: south.value(move_ms), north: north.value(move_ms), clock: null, casual: true };
    try {
      open(await post("/api/tables", request), request, go);
    } catch (error) {
      notice(error.message);
      start.disabled = false;
    }
  });
  return form;
}

function fileForm(show) {
  const text = h("textarea", { rows: 6, spellcheck: "false", "aria-label": "Text of the records" });
  const file = h("input", {
    type: "file", accept: ".jsonl,.json,.pgn,.txt",
    onchange: async () => { if (file.files[0]) show(await file.files[0].text()); },
  });
  return h("section", { class: "card form" }, h("h2", { text: "Replay" }),
    h("p", { text: "A file of records, as the table and kisolo match write it, or its PGN-like text." }),
    field("Open a file", file), field("Or paste it", text), button("Show the games", () => show(text.value), { class: "main" }));
}

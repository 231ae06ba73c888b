// A new game: against a level, with a friend by a link, or two at one screen.

import { button, field, h, notice, store } from "./dom.js";
import { choices, post } from "./net.js";
import { clockFields, engineFields, radios, rulesFields } from "./form.js";
import { remember, remembered } from "./tables.js";
import { other } from "./pits.js";

const FIRST_LEVEL = 1000;
const LISTED = 6;

/** Fills `main` with the form. */
export function playView(main, query, go) {
  const box = h("div", { class: "columns" });
  main.append(h("h1", { text: "Play" }),
    h("p", { class: "lead", text: "Four rows, seeds, and long relays. South moves first. New to it? " },
      h("a", { href: "/learn", text: "Learn the rules in five minutes." })), box);
  choices().then((offered) => box.append(form(offered, query, go), recent())).catch((error) => {
    box.append(h("p", { class: "card", text: `The server does not answer: ${error.message}` }));
  });
  return {};
}

function form(offered, query, go) {
  const last = store.get("kisolo.form") ?? {};
  const rules = rulesFields(offered, query.get("profile") ?? last.profile, query.get("position"));
  const engine = engineFields(offered, rules, "Level", last.level === undefined ? FIRST_LEVEL : last.level ?? "full");
  const clock = clockFields();
  const casual = h("input", { type: "checkbox", checked: true });
  const name = h("input", { type: "text", maxlength: 40, autocomplete: "nickname", value: last.name ?? "" });
  const side = radios("Your side", "side", [["south", "South (first)"], ["north", "North"], ["either", "by lot"]], last.side ?? "south");
  const against = radios("Against", "against",
    [["engine", "the engine"], ["friend", "a friend, by a link"], ["you", "both at this screen"]], "engine", () => change());
  function change() {
    const kind = against.value();
    for (const part of engine.elements) part.hidden = kind !== "engine";
    side.element.hidden = kind === "you";
  }
  change();
  const start = h("button", { type: "submit", class: "main", text: "Start the game" });
  const element = h("form", { class: "card form wide-form" },
    against.element, ...engine.elements, side.element, ...rules.elements, ...clock.elements,
    h("label", { class: "check" }, casual, h("span", { text: "casual: turns may be taken back, hints are given" })),
    field("Your name", name), start);
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = side.value() === "either" ? (Math.random() < 0.5 ? "south" : "north") : side.value();
    const kind = against.value();
    const opponent = kind === "engine" ? engine.value() : { kind };
    const you = name.value.trim() ? { kind: "you", name: name.value.trim() } : { kind: "you" };
    const request = {
      ...rules.value(), clock: clock.value(), casual: casual.checked,
      [mine]: you, [other(mine)]: kind === "you" ? { kind: "you" } : opponent,
    };
    store.set("kisolo.form", { profile: request.profile, level: engine.value().level, side: side.value(), name: name.value.trim() });
    start.disabled = true;
    try {
      open(await post("/api/tables", request), request, go);
    } catch (error) {
      notice(error.message);
      start.disabled = false;
    }
  });
  return element;
}

/** Goes to a table that was just made. */
export function open(made, request, go) {
  const what = `${request.profile}, ${describe(request.south)} – ${describe(request.north)}`;
  if (made.token) {
    remember(made.table, { token: made.token, what, time: Date.now() });
    go(`#t=${made.table}&k=${made.token}`);
  } else {
    location.hash = made.watch.replace(/^\/?#/, "#");
  }
}

function describe(seat) {
  if (seat.kind === "engine") return seat.level ? `level ${seat.level}` : "full strength";
  return seat.kind === "you" ? seat.name ?? "you" : "a friend";
}

// Tables of this browser, so that none is lost with its tab.
function recent() {
  const tables = remembered().slice(0, LISTED);
  const element = h("section", { class: "card recent", hidden: tables.length === 0 }, h("h2", { text: "Your tables" }));
  const list = h("ul", {}, ...tables.map(([id, { token, what, time }]) => h("li", {},
    h("a", { href: `/#t=${id}&k=${token}`, text: what ?? id }),
    h("small", { text: new Date(time).toLocaleString() }))));
  const clear = button("Forget them", () => { remember(null); element.hidden = true; }, { class: "small" });
  element.append(list, clear);
  return element;
}

// What stands around the board of a table: seats with clocks, moves, links,
// the engines' thoughts.

import { button, h, notice } from "./dom.js";
import { clockText, scoreText, titled } from "./pits.js";

const TICK_MS = 100;
// From here on a clock is short.
const SHORT_MS = 20000;

/** The bar of one side: whose seat, present or away, clock. */
export class SeatBar {
  constructor(side) {
    this.side = side;
    this.name = h("strong", { class: "who" });
    this.note = h("span", { class: "seat-note" });
    this.clock = h("span", { class: "clock", role: "timer", "aria-live": "off", hidden: true });
    this.element = h("div", { class: `seat ${side}` },
      h("span", { class: "side-name", text: titled(side) }), this.name, this.note, this.clock);
  }

  show(state, mine) {
    const seat = state.seats[this.side];
    this.name.textContent = seat.kind === "open" ? "free seat" : seat.name + (mine ? " (you)" : "");
    const notes = [];
    if (seat.kind === "engine") notes.push(seat.level ? `level ${seat.level}` : "full strength");
    if (seat.kind === "open") notes.push("waiting for a friend");
    if (seat.kind === "person" && !seat.present && !mine) notes.push("away");
    this.note.textContent = notes.join(", ");
    this.element.classList.toggle("away", seat.kind === "person" && !seat.present && !mine);
    this.element.classList.toggle("to-move", state.turn === this.side);
    const ms = state.clock?.[`${this.side}_ms`];
    this.clock.hidden = ms === undefined;
    this.left = ms;
    this.since = performance.now();
    this.runs = state.clock?.running === this.side;
    this.tick();
    clearInterval(this.timer);
    if (this.runs) this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  tick() {
    if (this.left === undefined) return;
    const ms = this.left - (this.runs ? performance.now() - this.since : 0);
    this.clock.textContent = clockText(ms);
    this.clock.classList.toggle("short", ms < SHORT_MS);
  }

  close() {
    clearInterval(this.timer);
  }
}

/** The moves, two a line; `onpick(index)` shows one again. */
export class MoveList {
  constructor(onpick) {
    this.onpick = onpick;
    this.list = h("ol", { class: "moves", "aria-label": "Moves" });
    this.element = h("section", { class: "card" }, h("h2", { text: "Moves" }), this.list);
  }

  show(moves, here = moves.length - 1, wrong = new Map()) {
    const rows = [];
    moves.forEach((move, i) => {
      if (move.side === "south" || i === 0) rows.push(h("li", { value: String(rows.length + 1) }));
      if (i === 0 && move.side === "north") rows[0].append(h("span", { text: "…" }));
      rows.at(-1).append(this.#entry(move, i, i === here, wrong.get(i)));
    });
    if (rows.length === 0) rows.push(h("li", { class: "none", text: "none yet" }));
    this.list.replaceChildren(...rows);
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.parentElement.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  #entry(move, i, here, lost) {
    const setUp = move.move.startsWith("@");
    const taken = move.trace?.taken ? `, takes ${move.trace.taken}` : "";
    const entry = h("button", {
      type: "button", class: here ? "here" : null, "aria-current": here ? "true" : null,
      title: setUp ? move.move : `${move.trace?.packets ?? "?"} packets${taken}${move.score ? `; ${scoreText(move.score)}` : ""}`,
      "aria-label": `${titled(move.side)} ${setUp ? "set-up" : move.move}${taken}${lost ? `, a mistake` : ""}`,
      onclick: () => this.onpick(i),
    }, setUp ? "set-up" : move.move);
    if (move.trace?.taken) entry.append(h("small", { text: `×${move.trace.taken}` }));
    if (lost !== undefined) entry.append(h("span", { class: "wrong", text: lost >= 30 ? "??" : "?" }));
    return entry;
  }
}

/** What the engines think, one line a side. */
export class Thoughts {
  constructor() {
    this.lines = {};
    this.element = h("section", { class: "card thoughts", hidden: true }, h("h2", { text: "The engines think" }));
    for (const side of ["north", "south"]) {
      this.lines[side] = h("p", { class: side, hidden: true });
      this.element.append(this.lines[side]);
    }
  }

  show({ side, depth, score, pv, nodes }) {
    this.element.hidden = false;
    this.lines[side].hidden = false;
    this.lines[side].replaceChildren(h("strong", { text: `${titled(side)} ${scoreText(score)}` }),
      h("small", { text: ` depth ${depth}, ${nodesText(nodes)}` }), h("br"), h("span", { class: "line", text: pv.join(" ") }));
  }

  clear() {
    for (const line of Object.values(this.lines)) line.hidden = true;
    this.element.hidden = true;
  }
}

export function nodesText(n) {
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M positions`;
  return n >= 1e3 ? `${Math.round(n / 1e3)} k positions` : `${n} positions`;
}

/** A link to hand on, with a button that copies it. */
export function linkLine(label, path) {
  const input = h("input", { type: "text", class: "wide", readonly: true, "aria-label": label, value: new URL(path, location.href).href,
    onfocus: () => input.select() });
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(input.value);
    } catch {
      // Not allowed everywhere: the text is marked, to be copied by hand.
      input.select();
      notice("copy the marked link");
      return;
    }
    copy.textContent = "Copied";
  }, { class: "small" });
  return h("div", { class: "link" }, h("span", { text: label }), h("div", { class: "row" }, input, copy));
}

/** A button that asks for a second click, so that none is made by mistake. */
export function sureButton(label, question, act) {
  let timer = 0;
  const calm = () => {
    clearTimeout(timer);
    timer = 0;
    element.textContent = label;
    element.classList.remove("danger");
  };
  const element = button(label, () => {
    if (timer) {
      calm();
      act();
    } else {
      element.textContent = question;
      element.classList.add("danger");
      timer = setTimeout(calm, 4000);
    }
  });
  return element;
}

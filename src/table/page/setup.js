// Seeds put on the board by hand: the set-up of kisolo-free, and the editor of
// the analysis. By click, drag, keyboard or text.

import { announce, button, field, h, notice } from "./dom.js";
import { seedsText } from "./animate.js";
import { sideOf, sowingOrder, titled } from "./pits.js";

const DIGITS = /^[0-9]$/;
// A pointer that moved less than this has clicked, not dragged.
const DRAG_PIXELS = 6;
// Digits typed within this time make one number.
const TYPING_MS = 900;

export class Arranger {
  /**
   * Edits `counts` of the `pits` of `board`, `total` seeds in all; what is not
   * on the board is in the hand. `onchange()` after each change.
   */
  constructor({ board, pits, total, counts = {}, onchange }) {
    Object.assign(this, { board, pits, total, onchange });
    this.counts = Object.fromEntries(pits.map((pit) => [pit, counts[pit] ?? 0]));
    this.at = h("select", { "aria-label": "Seeds a drag" }, ...[1, 2, 3, 5].map((n) => h("option", { value: n, text: n })));
    this.number = h("strong", { class: "left" });
    this.hand = h("div", { class: "hand", title: "Drag seeds from here to a pit" }, this.number);
    this.element = h("div", { class: "arranger" }, this.hand, field("Seeds a drag", this.at));
    this.down = (event) => this.#pointerDown(event);
    board.element.addEventListener("pointerdown", this.down);
    this.hand.addEventListener("pointerdown", this.down);
    board.element.classList.add("arranging");
    board.mark("open", pits);
    board.onchoose = (pit) => this.#chosen(pit);
    board.onkey = (event, pit) => this.#key(event, pit);
    this.#show();
  }

  get left() {
    return this.total - this.pits.reduce((sum, pit) => sum + this.counts[pit], 0);
  }

  /** Puts `n` seeds into a pit, or as many as there are. */
  set(pit, n) {
    if (!this.pits.includes(pit)) {
      notice(`${pit} is not a pit to fill here`);
      return;
    }
    const before = this.counts[pit];
    this.counts[pit] = Math.max(0, Math.min(n, before + this.left));
    if (n > before && this.counts[pit] < n) notice("no more seeds in the hand");
    this.#show();
    announce(`${pit}: ${seedsText(this.counts[pit])}, ${this.left} in the hand`);
  }

  setAll(counts) {
    for (const pit of this.pits) this.counts[pit] = counts[pit] ?? 0;
    this.#show();
  }

  #show() {
    this.board.setCounts({ ...this.others, ...this.counts });
    this.number.textContent = `${seedsText(this.left)} in the hand`;
    this.onchange?.();
  }

  /** What lies in the pits that are not edited. */
  keep(others) {
    this.others = others;
    this.#show();
  }

  #chosen(pit) {
    if (!this.dragged) this.set(pit, (this.counts[pit] ?? 0) + 1);
  }

  #key(event, pit) {
    if (event.key === "+" || event.key === "=") this.set(pit, this.counts[pit] + 1);
    else if (event.key === "-" || event.key === "Backspace") this.set(pit, this.counts[pit] - 1);
    else if (event.key === "Delete") this.set(pit, 0);
    else if (DIGITS.test(event.key)) this.#digit(pit, event.key);
    else return;
    event.preventDefault();
  }

  #digit(pit, digit) {
    const now = Date.now();
    const goesOn = this.typing?.pit === pit && now - this.typing.time < TYPING_MS;
    const text = goesOn ? this.typing.text + digit : digit;
    this.typing = { pit, text, time: now };
    this.set(pit, Number(text));
  }

  #pointerDown(event) {
    this.dragged = false;
    const source = event.target.closest("[data-pit]")?.getAttribute("data-pit") ?? null;
    const fromHand = this.hand.contains(event.target);
    if (event.button !== 0 || (!fromHand && !(this.counts[source] > 0)) || (fromHand && this.left < 1)) return;
    event.preventDefault();
    if (source) this.board.focus(source);
    const n = Math.min(Number(this.at.value), fromHand ? this.left : this.counts[source]);
    const token = h("div", { class: "dragged", text: String(n), hidden: true });
    document.body.append(token);
    const start = { x: event.clientX, y: event.clientY };
    const move = (to) => {
      if (Math.hypot(to.clientX - start.x, to.clientY - start.y) < DRAG_PIXELS && !this.dragged) return;
      this.dragged = true;
      token.hidden = false;
      token.style.left = `${to.clientX}px`;
      token.style.top = `${to.clientY}px`;
    };
    const stop = (to) => {
      for (const [name, handler] of [["pointermove", move], ["pointerup", stop], ["pointercancel", stop]]) {
        document.removeEventListener(name, handler);
      }
      token.remove();
      // The click that follows a drag is none; later ones are.
      setTimeout(() => { this.dragged = false; });
      if (!this.dragged || to.type === "pointercancel") return;
      const goal = document.elementFromPoint(to.clientX, to.clientY)?.closest("[data-pit]")?.getAttribute("data-pit") ?? null;
      if (goal === source) return;
      // Beside the board the seeds go back to the hand.
      if (source) this.set(source, this.counts[source] - n);
      if (goal && this.pits.includes(goal)) this.set(goal, this.counts[goal] + n);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", stop);
    document.addEventListener("pointercancel", stop);
  }

  close() {
    this.board.element.removeEventListener("pointerdown", this.down);
    this.board.element.classList.remove("arranging");
    this.board.mark("open", []);
    this.board.onchoose = null;
    this.board.onkey = null;
    this.element.remove();
  }
}

/** The set-up of one side: an arranger with a line of text and a button. */
export class SetUp {
  constructor({ board, side, seeds, counts, onready }) {
    this.side = side;
    this.order = sowingOrder(side, board.columns);
    this.text = h("input", {
      type: "text", class: "wide", spellcheck: "false", autocomplete: "off", onchange: () => this.#read(),
      onkeydown: (event) => { if (event.key === "Enter") this.#read(); },
    });
    this.ready = button("Done: begin with this set-up", () => onready(this.move()), { class: "main", disabled: true });
    this.arranger = new Arranger({ board, pits: this.order, total: seeds, onchange: () => this.#changed() });
    this.arranger.keep(Object.fromEntries(Object.entries(counts).filter(([pit]) => sideOf(pit) !== side)));
    this.element = h("section", { class: "card setup" },
      h("h2", { text: `${titled(side)} sets up` }),
      h("p", { text: `Put ${seeds} seeds into the own two rows in any way. Click a pit or drag seeds to it; `
        + "with the keyboard: arrows, then + and − or a number. Drag seeds off the board to take them back." }),
      this.arranger.element,
      field("As text, in sowing order", this.text, `${this.order[0]} … ${this.order.at(-1)}, parted by commas`),
      h("div", { class: "row" },
        button("Outer row", () => this.#fill(0)), button("Spread", () => this.#spread()),
        button("Clear", () => this.arranger.setAll({}))),
      this.ready);
    this.#changed();
  }

  move() {
    return "@" + this.order.map((pit) => this.arranger.counts[pit]).join(",");
  }

  #changed() {
    if (!this.arranger) return;
    this.text.value = this.move().slice(1);
    this.ready.disabled = this.arranger.left !== 0;
  }

  #read() {
    const counts = this.text.value.trim().replace(/^@/, "").split(/[\s,]+/).map(Number);
    const sum = counts.reduce((a, b) => a + b, 0);
    const good = counts.length === this.order.length && counts.every((n) => Number.isInteger(n) && n >= 0);
    if (!good || sum > this.arranger.total) {
      notice(`a set-up is ${this.order.length} counts, ${this.arranger.total} seeds in all`);
      return;
    }
    this.arranger.setAll(Object.fromEntries(this.order.map((pit, i) => [pit, counts[i]])));
  }

  // Evenly over the pits from `from` on; what is over goes to the first ones.
  #fill(from, pits = this.order.slice(from, this.order.length / 2)) {
    const [each, over] = [Math.floor(this.arranger.total / pits.length), this.arranger.total % pits.length];
    this.arranger.setAll(Object.fromEntries(pits.map((pit, i) => [pit, each + (i < over ? 1 : 0)])));
  }

  #spread() {
    this.#fill(0, this.order);
  }

  close() {
    this.arranger.close();
    this.element.remove();
  }
}

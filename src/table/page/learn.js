// The lessons: each figure of the page becomes a board to step through.

import { announce, button, h, notice } from "./dom.js";
import { Animator, stages, summary } from "./animate.js";
import { Board } from "./board.js";
import { Link } from "./net.js";
import { parsePosition } from "./pits.js";

const MARKS = ["from", "taken", "into", "landed"];

class Lesson {
  constructor(figure) {
    const { profile, position, turn } = figure.dataset;
    Object.assign(this, { profile, position, turn, legal: {}, at: 0, list: [] });
    this.start = parsePosition(position);
    const caption = figure.querySelector("figcaption");
    this.board = new Board({
      columns: this.start.columns, label: `Board of ${profile}: ${caption.textContent.trim().replace(/\s+/g, " ")}`,
      onchoose: (pit) => this.#choose(pit),
    });
    this.board.setPosition(position);
    this.animator = new Animator(this.board);
    this.text = h("p", { class: "status" });
    this.back = button("Back", () => this.#step(-1), { disabled: true });
    this.next = button("Next step", () => this.#step(1), { class: "main", disabled: true });
    this.show = button("Show it move", () => this.#play(), { disabled: true });
    figure.append(this.board.element, this.text, h("div", { class: "row" }, this.back, this.next, this.show), this.animator.bar);
  }

  /** The server's answer: every turn of the position with its trace. */
  know(legal) {
    this.legal = legal;
    this.board.setLegal(Object.keys(legal));
    this.#choose(this.turn);
  }

  #choose(pit) {
    const trace = this.legal[pit];
    if (!trace) return notice(`${pit} cannot be played here`);
    this.animator.skip();
    this.turn = pit;
    this.list = stages(this.start.counts, trace);
    this.at = 0;
    this.#draw();
    this.text.textContent = `The turn ${pit}: ${summary(trace)}.`;
    return announce(this.text.textContent);
  }

  #step(by) {
    this.animator.skip();
    this.at = Math.min(this.list.length, Math.max(0, this.at + by));
    this.#draw();
    announce(this.text.textContent);
  }

  #draw() {
    const stage = this.list[this.at - 1];
    this.board.setCounts(stage?.counts ?? this.start.counts);
    for (const kind of MARKS) this.board.mark(kind, stage?.marks[kind] ?? []);
    if (!stage) this.board.mark("from", [this.turn]);
    this.text.textContent = stage ? `${this.at} of ${this.list.length}. ${stage.text}` : `The turn ${this.turn}: ${summary(this.legal[this.turn])}.`;
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at >= this.list.length;
    this.show.disabled = false;
    this.next.textContent = this.at === 0 ? "First step" : "Next step";
  }

  async #play() {
    for (const kind of MARKS) this.board.mark(kind, []);
    await this.animator.play(this.start.counts, this.legal[this.turn]);
    this.at = this.list.length;
    this.#draw();
  }
}

document.body.append(h("div", { id: "live", class: "unseen", role: "log", "aria-live": "polite" }));
const lessons = [...document.querySelectorAll("figure.lesson")].map((figure) => new Lesson(figure));

// Some questions at a time: the server counts messages a second.
const AT_ONCE = 8;
let asked = 0;
const net = new Link({
  greeting: () => { asked = 0; return null; },
  onmessage: (message) => {
    if (message.t !== "looked" || !lessons[message.id]) return;
    if (message.error) notice(message.error);
    else lessons[message.id].know(message.legal);
    askNext();
  },
  onlink: (how) => { if (how === "open") for (let i = 0; i < AT_ONCE; i++) askNext(); },
});

function askNext() {
  const lesson = lessons[asked];
  if (lesson) net.ask({ t: "look", profile: lesson.profile, position: lesson.position, id: asked });
  asked += 1;
  // All are known: the line is not needed any more.
  if (asked >= lessons.length + AT_ONCE) net.close();
}

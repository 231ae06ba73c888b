// Any position: edit or paste it, and see what the engine sees.

import { announce, button, field, h, notice, select } from "./dom.js";
import { Animator, summary, takenPits } from "./animate.js";
import { Arranger } from "./setup.js";
import { Board } from "./board.js";
import { Link, choices } from "./net.js";
import { nodesText } from "./panels.js";
import { allPits, parsePosition, positionText, scoreText, titled } from "./pits.js";

const PV_SHOWN = 10;
const LINES = 3;

export function analyseView(main, query) {
  const view = { close() { this.analysis?.close(); this.closed = true; } };
  main.append(h("h1", { text: "Analyse" }));
  choices().then((offered) => {
    if (!view.closed) view.analysis = new Analysis(main, offered, query);
  }).catch((error) => main.append(h("p", { class: "card", text: `The server does not answer: ${error.message}` })));
  return view;
}

class Analysis {
  constructor(main, offered, query) {
    Object.assign(this, { offered, asked: 0, past: [], looked: null, running: false });
    const names = offered.profiles.map(({ name }) => name);
    this.profile = select(names.map((name) => [name, name]), query.get("profile") ?? names[0], () => this.#fresh("startpos"));
    this.text = h("input", { type: "text", class: "wide", spellcheck: "false", autocomplete: "off",
      onkeydown: (event) => { if (event.key === "Enter") this.#fresh(this.text.value.trim()); } });
    this.count = select([1, 2, 3, 4, 5].map((n) => [n, String(n)]), LINES, () => { if (this.running) this.#analyse(); });
    this.start = button("Analyse", () => (this.running ? this.#stop() : this.#analyse()), { class: "main" });
    this.back = button("Back", () => this.#back(), { disabled: true });
    this.edit = button("Edit", () => this.#edit());
    this.status = h("p", { class: "status", role: "status" });
    this.preview = h("p", { class: "preview" });
    this.lines = h("ol", { class: "lines", "aria-label": "Best lines" });
    this.effort = h("p", { class: "small-note" });
    this.boardBox = h("div", { class: "board-box" });
    this.tools = h("div", { class: "tools" });
    this.editor = h("div");
    main.append(h("div", { class: "table" },
      h("div", { class: "play-area" }, this.boardBox, this.status, this.preview, this.editor, this.tools),
      h("div", { class: "side" },
        h("section", { class: "card" }, field("Rules", this.profile), field("Position", this.text),
          h("div", { class: "row" }, button("Show", () => this.#fresh(this.text.value.trim())), this.edit, this.back)),
        h("section", { class: "card" }, h("div", { class: "row" }, this.start, field("Lines", this.count)), this.lines, this.effort))));
    this.net = new Link({
      greeting: () => null,
      onmessage: (message) => this.#message(message),
      onlink: (how) => { if (how === "lost") this.#stopped("The connection is lost; it is tried again."); },
    });
    this.#fresh(query.get("position") ?? "startpos");
  }

  // Another position, without the way to it.
  #fresh(position) {
    this.past = [];
    this.#look(position);
  }

  #look(position) {
    this.asked += 1;
    this.net.ask({ t: "look", profile: this.profile.value, position: position || "startpos", id: this.asked });
  }

  #message(message) {
    if (message.t === "looked" && message.id === this.asked) this.#show(message);
    else if (message.t === "analysis" && message.id === this.asked) this.#analysed(message);
    else if (message.t === "error") {
      notice(message.message);
      if (message.to === "analyse") this.#stopped("");
    }
  }

  #show(looked) {
    if (looked.error) {
      notice(looked.error);
      this.status.textContent = looked.error;
      return;
    }
    this.#closeEditor();
    this.looked = looked;
    const { columns } = parsePosition(looked.position);
    if (this.board?.columns !== columns) this.#makeBoard(columns);
    this.text.value = looked.position;
    this.board.setPosition(looked.position);
    this.board.clearOverlay();
    this.board.mark("landed", this.past.at(-1)?.last ? [this.past.at(-1).last] : []);
    this.board.setLegal(Object.keys(looked.legal));
    this.back.disabled = this.past.length === 0;
    this.lines.replaceChildren();
    this.effort.textContent = "";
    this.status.textContent = this.#state();
    announce(this.status.textContent);
    if (this.running) this.#analyse();
  }

  #state() {
    const { ends, turn, set_up_due, set_up_seeds, legal } = this.looked;
    if (ends) return ends === "draw" ? "The game is drawn." : `The game is over: ${titled(ends)} has won.`;
    if (set_up_due) return `${titled(turn)} is to set up ${set_up_seeds} seeds.`;
    const n = Object.keys(legal).length;
    return `${titled(turn)} to move, ${n === 1 ? "1 turn" : `${n} turns`}. Choose a pit to make its turn.`;
  }

  #makeBoard(columns) {
    this.board = new Board({ columns, label: "Board of the analysis" });
    this.animator = new Animator(this.board);
    this.boardBox.replaceChildren(this.board.element);
    this.tools.replaceChildren(this.animator.bar);
    this.#listen();
  }

  #listen() {
    this.board.onchoose = (pit) => this.#make(pit);
    this.board.onpreview = (pit) => this.#foresee(pit);
    this.board.onkey = null;
  }

  async #make(pit) {
    const { looked } = this;
    const trace = looked.legal[pit];
    if (this.animator.running) return this.animator.skip();
    if (!trace) return notice(Object.keys(looked.legal).length ? `${pit} cannot be played here` : "there is no turn here");
    if (trace.ends === "draw") return notice(`${pit} is an endless turn: a draw`);
    this.board.clearOverlay();
    this.board.setLegal([]);
    this.preview.textContent = `${pit}: ${summary(trace)}`;
    await this.animator.play(parsePosition(looked.position).counts, trace);
    if (this.looked !== looked || this.closed) return undefined;
    this.past.push({ position: looked.position, last: trace.last });
    return this.#look(trace.after);
  }

  #back() {
    const last = this.past.pop();
    if (last) this.#look(last.position);
  }

  #foresee(pit) {
    if (!this.looked || this.animator.running || this.editing) return;
    const { board } = this;
    board.clearOverlay("ghost");
    const trace = pit ? this.looked.legal[pit] : null;
    this.preview.textContent = trace ? `${pit}: ${summary(trace)}` : "";
    if (!trace) return;
    if (board.hasFocus()) announce(this.preview.textContent);
    if (trace.last) board.ghost(trace.last, "ends");
    for (const [taken, n] of takenPits(trace)) board.ghost(taken, `−${n}`, "ghost taken-tag");
  }

  #analyse() {
    if (!this.looked || this.looked.ends) return notice("the game is over here");
    this.running = true;
    this.start.textContent = "Stop";
    this.net.ask({ t: "analyse", profile: this.profile.value, position: this.looked.position, lines: Number(this.count.value), id: this.asked });
    return undefined;
  }

  #stop() {
    this.net.send({ t: "stop" });
    this.#stopped("");
  }

  #stopped(text) {
    this.running = false;
    this.start.textContent = "Analyse";
    if (text) this.effort.textContent = text;
  }

  #analysed({ lines, nodes, done }) {
    this.lines.replaceChildren(...lines.map((line, i) => this.#line(line, i)));
    this.effort.textContent = `depth ${lines[0]?.depth ?? 0}, ${nodesText(nodes ?? 0)}${done ? ", finished" : ""}`;
    if (!this.animator.running && !this.editing) this.#best(lines[0]);
    if (done) {
      announce(lines[0] ? `Best: ${lines[0].pv[0]}, ${scoreText(lines[0].score)}` : "No line");
      this.#stopped("");
    }
  }

  #best(line) {
    const trace = line && this.looked.legal[line.pv[0]];
    this.board.clearOverlay("best");
    if (!trace) return;
    this.board.ghost(line.pv[0], "best", "best");
    if (trace.last) this.board.arrow(line.pv[0], trace.last);
  }

  #line({ score, win_percent, pv, depth }, i) {
    const bar = h("span", { class: "chance", "aria-hidden": "true" }, h("span"));
    bar.firstElementChild.style.width = `${win_percent}%`;
    const first = pv[0] ?? "";
    const make = this.looked.legal[first]
      ? button(first, () => this.#make(first), { class: "small", title: `Make the turn ${first}`,
        onpointerenter: () => this.#foresee(first), onpointerleave: () => this.#foresee(null),
        onfocus: () => this.#foresee(first), onblur: () => this.#foresee(null) })
      : h("strong", { text: first.startsWith("@") ? first : first || "–" });
    return h("li", { value: String(i + 1) }, make,
      h("strong", { text: `${Math.round(win_percent)} %` }), bar,
      h("span", { class: "score", text: score.cp === undefined || score.cp === null ? scoreText(score) : `${score.cp > 0 ? "+" : ""}${score.cp} cp` }),
      h("span", { class: "line", text: pv.slice(1, PV_SHOWN).join(" ") }, h("small", { text: ` depth ${depth}` })));
  }

  // The editor: any pits, the side to move, the first phases.
  #edit() {
    if (this.editing) return this.#closeEditor(true);
    if (!this.looked) return undefined;
    this.#stop();
    const { board } = this;
    const offered = this.offered.profiles.find(({ name }) => name === this.profile.value);
    const { counts, columns, side, first } = parsePosition(this.looked.position);
    board.setLegal([]);
    board.clearOverlay();
    board.mark("landed", []);
    board.onpreview = null;
    const total = offered.seeds;
    this.editing = new Arranger({ board, pits: allPits(columns), total, counts });
    const mover = select([["south", "South"], ["north", "North"]], side);
    const phases = select([["-", "none"], ["SN", "both"], ["S", "South"], ["N", "North"]], first);
    this.editor.replaceChildren(h("section", { class: "card" }, h("h2", { text: "Editor" }),
      h("p", { text: "Click or + adds a seed, − takes one, a number sets; drag seeds from pit to pit, and off the board." }),
      this.editing.element,
      h("div", { class: "row" }, field("To move", mover),
        this.profile.value === "isolo" || this.profile.value === "kisolo-free" ? field("In the first phase", phases) : null),
      h("div", { class: "row" },
        button("Use this position", () => {
          const position = positionText({ counts: this.editing.counts, columns, side: mover.value, first: phases.value });
          this.#fresh(position);
        }, { class: "main" }),
        button("Clear", () => this.editing.setAll({})), button("Leave it", () => this.#closeEditor(true)))));
    board.focus("a1");
    return undefined;
  }

  #closeEditor(restore = false) {
    if (!this.editing) return;
    this.editing.close();
    this.editing = null;
    this.editor.replaceChildren();
    this.#listen();
    if (restore) this.#show(this.looked);
  }

  close() {
    this.closed = true;
    this.animator?.skip();
    this.net.close();
  }
}

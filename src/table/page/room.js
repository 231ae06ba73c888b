// One table: playing at it, or watching.

import { announce, button, h, notice } from "./dom.js";
import { Animator, summary, takenPits } from "./animate.js";
import { Board } from "./board.js";
import { Graph } from "./graph.js";
import { Link } from "./net.js";
import { MoveList, SeatBar, Thoughts, linkLine, sureButton } from "./panels.js";
import { SetUp } from "./setup.js";
import { known, remember } from "./tables.js";
import { moveText, resultText, seatText } from "./words.js";
import { parsePosition, titled } from "./pits.js";

// More turns than these are never waiting to be shown.
const TURNS_BEHIND = 2;

export function roomView(main, parameters, go) {
  return new Room(main, parameters, go);
}

class Room {
  constructor(main, parameters, go) {
    Object.assign(this, { go, id: parameters.get("t"), moves: [], seat: null, state: null, queue: Promise.resolve(), waiting: 0 });
    this.token = parameters.get("k");
    this.invite = parameters.get("i");
    this.watch = parameters.get("w");
    // A friend who opens the invitation again has the seat already.
    if (this.invite) this.token = known(this.id)?.token ?? null;
    this.bars = { south: new SeatBar("south"), north: new SeatBar("north") };
    this.list = new MoveList((i) => this.#again(i));
    this.thoughts = new Thoughts();
    this.graph = new Graph((ply) => this.#again(ply - 1));
    this.graph.element.hidden = true;
    this.title = h("h1", { text: "Table" });
    this.link = h("p", { class: "banner", role: "status", hidden: true });
    this.status = h("p", { class: "status" });
    this.preview = h("p", { class: "preview" });
    this.boardBox = h("div", { class: "board-box" });
    this.tools = h("div", { class: "tools" });
    this.actions = h("div", { class: "row actions" });
    this.offers = h("div", { class: "offers", role: "status" });
    this.links = h("section", { class: "card links", hidden: true });
    main.append(this.title, this.link, h("div", { class: "table" },
      h("div", { class: "play-area" }, this.bars.north.element, this.boardBox, this.bars.south.element,
        this.status, this.preview, this.tools),
      h("div", { class: "side" }, this.offers, this.actions, this.thoughts.element, this.graph.element, this.list.element, this.links)));
    this.net = new Link({
      greeting: () => this.#greeting(),
      onmessage: (message) => this.#message(message),
      onlink: (how, seconds) => this.#linked(how, seconds),
    });
  }

  #greeting() {
    const key = this.token ? { token: this.token } : this.invite ? { invite: this.invite } : { watch: this.watch };
    return { t: "join", table: this.id, ...key };
  }

  #linked(how, seconds) {
    this.link.hidden = how === "open";
    if (how === "lost") {
      this.link.textContent = `The connection is lost; trying again in ${seconds} s. Nothing of the game is lost.`;
      for (const bar of Object.values(this.bars)) bar.close();
    }
  }

  #message(message) {
    switch (message.t) {
      case "seat": return this.#seated(message);
      case "state": return this.#stated(message);
      case "presence": return this.#present(message);
      case "thinking": return this.#thinking(message);
      case "hint": return this.#hinted(message);
      case "error": return this.#failed(message);
      default: return undefined;
    }
  }

  #seated({ side, token }) {
    if (this.seat && this.seat !== side && side !== "both") announce(`You play ${titled(side)} now`);
    this.seat = side;
    if (!token) return;
    this.token = token;
    this.invite = null;
    remember(this.id, { token, time: Date.now() });
    this.go(`#t=${this.id}&k=${token}`, true);
  }

  #failed({ to, message }) {
    notice(message);
    announce(message);
    if (to !== "join" || this.state) {
      // Whatever was hoped for did not happen: show what is.
      if (to === "move" && this.state) this.#settle();
      return;
    }
    this.net.close();
    this.link.hidden = true;
    this.status.replaceChildren(`${message}. `, h("a", { href: "/#play", text: "To a new game" }));
  }

  #stated(state) {
    const goesOn = this.state?.game === state.game && state.from >= this.moves.length;
    const added = goesOn ? state.moves : [];
    this.moves = this.moves.slice(0, state.from).concat(state.moves);
    this.state = state;
    if (!this.board || this.board.columns !== state.columns) this.#makeBoard(state);
    this.title.textContent = `${seatText(state.seats.south)} – ${seatText(state.seats.north)}, ${state.profile}`;
    document.title = `${state.turn && this.#mine(state.turn) && !state.result ? "● " : ""}${this.title.textContent}`;
    this.#frame();
    const start = state.from > 0 ? this.moves[state.from - 1].trace.after : state.start;
    for (const kind of ["ghost", "best"]) this.board.clearOverlay(kind);
    this.board.setLegal([]);
    this.#cease();
    this.waiting += added.length;
    this.queue = this.queue.then(() => this.#catchUp(state, added, start)).catch((error) => notice(String(error)));
  }

  // Shows the new turns one after the other, then the board as it is.
  async #catchUp(state, added, start) {
    let from = start;
    for (const move of added) {
      if (this.closed) return;
      const text = moveText(move);
      announce(text);
      this.status.textContent = text;
      this.preview.textContent = "";
      // Fast games outrun their pictures: what is old is not shown moving.
      if (move.trace.steps.length && this.waiting <= TURNS_BEHIND) await this.animator.play(parsePosition(from).counts, move.trace);
      this.waiting -= 1;
      from = move.trace.after;
    }
    // A newer state has its own turn in the queue.
    if (this.state === state && !this.closed) this.#settle();
  }

  #mine(side) {
    return this.seat === side || this.seat === "both";
  }

  get toMove() {
    const { turn, result } = this.state;
    return !result && turn && this.#mine(turn) ? turn : null;
  }

  // The board at rest: counts, choices, whose turn it is.
  #settle() {
    const { state, board } = this;
    board.setPosition(state.position);
    const last = this.moves.at(-1)?.trace;
    board.mark("landed", last?.last ? [last.last] : []);
    this.animator.tell(last);
    board.setLegal(this.toMove && !state.set_up_due ? Object.keys(state.legal) : []);
    if (state.set_up_due && this.toMove) this.#setUp();
    const text = this.#statusText();
    if (text !== this.said) announce(text);
    this.said = text;
    this.status.textContent = text;
    this.#foresee(this.pointed);
  }

  #statusText() {
    const { turn, result, set_up_due, seats } = this.state;
    if (result) {
      const mine = this.seat === "south" || this.seat === "north";
      const cheer = mine && result.winner !== "draw" ? (result.winner === this.seat ? " You win!" : " You lose.") : "";
      return resultText(result) + cheer;
    }
    if (seats.south.kind === "open" || seats.north.kind === "open") return "Waiting for the friend: hand on the invitation.";
    const { kind, name, present } = seats[turn];
    const waits = kind === "engine" ? `This server does not have the engine ${name}; the game waits`
      : `${name} is away; the game waits${this.state.clock ? ", the clock runs" : ""}`;
    const away = present || this.#mine(turn) ? "" : ` ${waits}.`;
    if (this.toMove) {
      const who = this.seat === "both" ? `${titled(turn)}: your` : "Your";
      return set_up_due ? `${who} set-up: ${this.state.set_up_seeds} seeds.` : `${who} turn: choose a ringed pit.`;
    }
    return `${titled(turn)} ${set_up_due ? "sets up" : "is to move"}.${away}`;
  }

  #makeBoard(state) {
    this.board = new Board({ columns: state.columns, label: `Board of ${state.profile}` });
    this.#listen();
    this.animator?.skip();
    this.animator = new Animator(this.board);
    this.boardBox.replaceChildren(this.board.element);
    this.tools.replaceChildren(this.animator.bar,
      button("Last turn again", () => this.#again(this.moves.length - 1), { class: "small" }));
  }

  #listen() {
    this.board.onchoose = (pit) => this.#choose(pit);
    this.board.onpreview = (pit) => {
      this.pointed = pit;
      this.#foresee(pit);
    };
    this.board.onkey = null;
  }

  #choose(pit) {
    const { state } = this;
    if (!this.toMove) return;
    if (this.animator.running) {
      this.animator.skip();
      return;
    }
    if (!state.legal[pit]) {
      const text = `${pit} cannot be played; choose one of ${Object.keys(state.legal).join(", ")}`;
      notice(text);
      return;
    }
    this.#send({ t: "move", ply: state.ply, move: pit });
  }

  // Where the turn would end and what it would take.
  #foresee(pit) {
    const { board, state } = this;
    if (!state || this.setUp || this.animator.running) return;
    board.clearOverlay("ghost");
    board.mark("taken", []);
    const trace = pit ? state.legal[pit] : null;
    if (!trace || state.result) {
      this.preview.textContent = this.moves.length ? moveText(this.moves.at(-1)) : "";
      return;
    }
    this.preview.textContent = `${pit}: ${summary(trace)}`;
    if (board.hasFocus()) announce(this.preview.textContent);
    if (trace.last) board.ghost(trace.last, "ends");
    for (const [taken, n] of takenPits(trace)) board.ghost(taken, `−${n}`, "ghost taken-tag");
  }

  #send(message) {
    if (this.net.send(message)) return true;
    notice("not connected at the moment; it is tried again");
    return false;
  }

  #setUp() {
    const { board, state } = this;
    board.onpreview = null;
    this.setUp = new SetUp({
      board, side: state.turn, seeds: state.set_up_seeds, counts: parsePosition(state.position).counts,
      onready: (move) => this.#send({ t: "move", ply: state.ply, move }),
    });
    this.tools.before(this.setUp.element);
  }

  #cease() {
    if (!this.setUp) return;
    this.setUp.close();
    this.setUp = null;
    this.#listen();
  }

  // Shows a turn of the game once more, then the board as it is.
  #again(i) {
    const move = this.moves[i];
    if (!move || this.setUp) return;
    const before = i > 0 ? this.moves[i - 1].trace.after : this.state.start;
    const { state } = this;
    this.animator.skip();
    this.queue = this.queue.then(async () => {
      this.status.textContent = moveText(move);
      announce(moveText(move));
      this.board.setLegal([]);
      await this.animator.play(parsePosition(before).counts, move.trace);
      if (this.state === state && !this.closed) this.#settle();
    });
  }

  // Everything around the board.
  #frame() {
    const { state } = this;
    for (const side of ["south", "north"]) this.bars[side].show(state, this.seat !== "both" && this.#mine(side));
    this.list.show(this.moves);
    const watching = this.seat === "watch";
    const engines = state.seats.south.kind === "engine" && state.seats.north.kind === "engine";
    this.graph.element.hidden = !(watching || engines || state.result) || this.moves.filter((move) => move.score).length < 2;
    if (!this.graph.element.hidden) this.graph.draw(this.moves);
    if (state.result) this.thoughts.clear();
    this.#actions();
    this.#links();
  }

  #actions() {
    const { state } = this;
    const player = this.seat && this.seat !== "watch";
    const parts = [];
    if (player && !state.result) {
      if (state.casual) parts.push(button("Undo", () => this.#send({ t: "undo", ply: state.ply }), { disabled: this.moves.length === 0 }));
      if (state.casual) parts.push(button("Hint", () => this.#send({ t: "hint" }), { disabled: !this.toMove || state.set_up_due }));
      parts.push(button("Offer a draw", () => this.#send({ t: "draw", answer: "offer" }), { disabled: this.#mine(state.offer) }));
      parts.push(sureButton("Resign", "Really resign?", () => this.#send({ t: "resign" })));
    }
    if (player && state.result) {
      parts.push(button("Rematch, sides changed", () => this.#send({ t: "rematch" }), { class: "main", disabled: this.#mine(state.rematch) }));
    }
    if (state.result || state.casual || !player) {
      parts.push(h("a", { class: "button", target: "_blank", rel: "noopener", text: "Analyse",
        href: `/#analyse?${new URLSearchParams({ profile: state.profile, position: state.position })}` }));
    }
    this.actions.replaceChildren(...parts);
    this.#offers(player);
  }

  #offers(player) {
    const { offer, undo_asked, rematch, result } = this.state;
    const parts = [];
    const ask = (side, text, t, yes, no) => {
      if (!side) return;
      if (!player || this.#mine(side)) {
        parts.push(h("p", { text: `${titled(side)} ${text}; waiting for the answer.` }));
        return;
      }
      const buttons = [button("Accept", () => this.#send({ t, ...yes }), { class: "main" })];
      if (no) buttons.push(button("Decline", () => this.#send({ t, ...no })));
      parts.push(h("p", { text: `${titled(side)} ${text}.` }), h("div", { class: "row" }, ...buttons));
    };
    if (!result) {
      ask(offer, "offers a draw", "draw", { answer: "accept" }, { answer: "decline" });
      ask(undo_asked, "asks to take a turn back", "undo", { ply: this.state.ply, answer: "accept" }, { ply: this.state.ply, answer: "decline" });
    } else {
      ask(rematch, "asks for a rematch", "rematch", {}, null);
    }
    this.offers.replaceChildren(...parts);
  }

  #links() {
    const { invite, watch, spectators } = this.state;
    const parts = [];
    if (invite) parts.push(linkLine("Invitation: who opens it takes the free seat", invite));
    if (watch) parts.push(linkLine("Link for spectators", watch));
    this.watchers = h("p", { class: "small-note", text: spectatorsText(spectators) });
    this.links.hidden = parts.length === 0;
    // The invitation is what matters while the seat is free.
    if (invite) this.offers.after(this.links); else this.list.element.after(this.links);
    if (this.links.dataset.shown !== String([invite, watch])) {
      this.links.dataset.shown = String([invite, watch]);
      this.links.replaceChildren(h("h2", { text: invite ? "Invite" : "Links" }), ...parts, this.watchers);
    } else {
      this.links.lastElementChild.replaceWith(this.watchers);
    }
  }

  #present({ seats, spectators }) {
    if (!this.state) return;
    for (const side of ["south", "north"]) {
      const seat = this.state.seats[side];
      if (seat.kind === "person" && seat.present !== seats[side] && !this.#mine(side)) {
        announce(`${seat.name} is ${seats[side] ? "here again" : "away"}`);
      }
      seat.present = seats[side];
      this.bars[side].element.classList.toggle("away", seat.kind === "person" && !seats[side] && !this.#mine(side));
      if (seat.kind === "person") this.bars[side].note.textContent = seats[side] || this.#mine(side) ? "" : "away";
    }
    this.state.spectators = spectators;
    this.watchers.textContent = spectatorsText(spectators);
    if (!this.animator.running) this.status.textContent = this.#statusText();
  }

  #thinking(message) {
    const engines = this.state && ["south", "north"].every((side) => this.state.seats[side].kind === "engine");
    // Players are not shown what their opponent plans.
    if (this.seat === "watch" || engines) this.thoughts.show(message);
  }

  #hinted({ ply, move }) {
    if (!this.state || ply !== this.state.ply) return;
    const trace = this.state.legal[move];
    const text = `Hint: ${move}${trace ? ` – ${summary(trace)}` : ""}`;
    this.preview.textContent = text;
    announce(text);
    for (const kind of ["ghost", "best"]) this.board.clearOverlay(kind);
    this.board.ghost(move, "hint", "best");
    if (trace?.last) this.board.arrow(move, trace.last);
    this.board.setFocusable(move);
  }

  leave() {
    this.animator?.skip();
  }

  close() {
    this.closed = true;
    this.leave();
    this.#cease();
    for (const bar of Object.values(this.bars)) bar.close();
    this.net.close();
  }
}

function spectatorsText(n) {
  return n === 1 ? "1 spectator" : `${n} spectators`;
}

// A game of a record file, move by move, with its scores and mistakes.

import { announce, button, h, notice, select } from "./dom.js";
import { Animator } from "./animate.js";
import { Board } from "./board.js";
import { BLUNDER, Graph, mistakes } from "./graph.js";
import { Link } from "./net.js";
import { MoveList } from "./panels.js";
import { moveText } from "./words.js";
import { parsePosition, scoreText, titled } from "./pits.js";

// How long each position is looked at when a game is judged.
const JUDGE_MS = 400;
const RESULTS = { S: "South won", N: "North won", draw: "draw" };

/** A list of games with the one that is chosen to step through. */
export class Replay {
  constructor(answer) {
    this.games = answer.games;
    this.element = h("div");
    const notes = [...answer.errors];
    if (answer.left_off) notes.push(`${answer.left_off} more games are left off`);
    for (const note of notes) this.element.append(h("p", { class: "banner", text: note }));
    if (this.games.length === 0) {
      this.element.append(h("p", { text: "There is no game in this text." }));
      return;
    }
    const names = this.games.map((game, i) => [i, `${i + 1}. ${game.south} – ${game.north}, ${resultOf(game)} (${game.profile})`]);
    const list = select(names, 0, () => this.#show(this.games[list.value]));
    this.box = h("div");
    this.element.append(h("label", { class: "field" }, h("span", { text: "Game" }), list), this.box);
    this.#show(this.games[0]);
  }

  #show(game) {
    this.player?.close();
    this.player = new GamePlayer(game);
    this.box.replaceChildren(this.player.element);
  }

  close() {
    this.player?.close();
  }
}

function resultOf(game) {
  const { result } = game;
  const winner = typeof result === "object" && result ? result.winner : result;
  if (winner === "south" || winner === "north") return `${titled(winner)} won`;
  return RESULTS[winner] ?? String(winner ?? "no result");
}

class GamePlayer {
  constructor(game) {
    this.game = game;
    this.moves = game.moves.map((move) => ({ ...move }));
    this.ply = 0;
    const start = parsePosition(game.start);
    this.board = new Board({ columns: start.columns, label: "Board of the replay", onkey: (event) => this.#key(event) });
    this.animator = new Animator(this.board);
    this.graph = new Graph((ply) => this.#to(ply));
    this.list = new MoveList((i) => this.#to(i + 1, true));
    this.text = h("p", { class: "status", role: "status" });
    this.judge = button("Find mistakes", () => this.#judge());
    this.link = h("a", { class: "button", text: "Analyse", href: "/#analyse" });
    const steps = h("div", { class: "row steps", onkeydown: (event) => this.#key(event) },
      button("«", () => this.#to(0), { "aria-label": "To the start" }),
      button("◀", () => this.#to(this.ply - 1), { "aria-label": "Back" }),
      button("▶", () => this.#to(this.ply + 1, true), { "aria-label": "Next turn", class: "main" }),
      button("»", () => this.#to(this.moves.length), { "aria-label": "To the end" }),
      button("Play on", (event) => this.#playOn(event.target)), this.judge, this.link);
    this.element = h("div", { class: "table replay" },
      h("div", { class: "play-area" },
        h("p", { class: "seat north" }, h("span", { class: "side-name", text: "North" }), h("strong", { text: game.north })),
        this.board.element,
        h("p", { class: "seat south" }, h("span", { class: "side-name", text: "South" }), h("strong", { text: game.south })),
        this.text, steps, this.animator.bar),
      h("div", { class: "side" }, this.graph.element, this.list.element,
        game.error ? h("p", { class: "banner", text: game.error }) : null,
        h("p", { class: "small-note", text: [game.event, game.date, resultOf(game), game.note].filter(Boolean).join(" · ") })));
    this.#to(0);
  }

  #key(event) {
    const steps = { PageDown: 1, PageUp: -1, n: 1, p: -1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.#to(this.ply + steps[event.key], steps[event.key] > 0);
  }

  #before(ply) {
    return ply > 0 ? this.moves[ply - 1].trace.after : this.game.start;
  }

  /** Goes to the position after `ply` moves; a step on may be shown moving. */
  async #to(ply, moving = false) {
    if (ply < 0 || ply > this.moves.length) return;
    this.ply = ply;
    const move = this.moves[ply - 1];
    const wrong = mistakes(this.moves);
    this.list.show(this.moves, ply - 1, wrong);
    this.graph.draw(this.moves, ply, wrong);
    this.link.href = `/#analyse?${new URLSearchParams({ profile: this.game.profile, position: this.#before(ply) })}`;
    this.text.textContent = move ? this.#say(move, wrong.get(ply - 1)) : "The start.";
    announce(this.text.textContent);
    this.animator.skip();
    this.animator.tell(move?.trace);
    if (moving && move?.trace.steps.length) await this.animator.play(parsePosition(this.#before(ply - 1)).counts, move.trace);
    if (this.ply !== ply) return;
    this.board.setPosition(this.#before(ply));
    this.board.mark("landed", move?.trace.last ? [move.trace.last] : []);
  }

  #say(move, lost) {
    const parts = [moveText(move)];
    if (move.score) parts.push(`Score ${scoreText(move.score)}${move.depth ? `, depth ${move.depth}` : ""}.`);
    if (lost !== undefined) parts.push(`${lost >= BLUNDER ? "A blunder" : "A mistake"}: ${Math.round(lost)} % of the chances lost.`);
    return parts.join(" ");
  }

  async #playOn(label) {
    this.going = !this.going;
    label.textContent = this.going ? "Stop" : "Play on";
    while (this.going && !this.closed && this.ply < this.moves.length) {
      await this.#to(this.ply + 1, true);
      await new Promise((resolve) => setTimeout(resolve, JUDGE_MS));
    }
    this.going = false;
    label.textContent = "Play on";
  }

  // Every position is looked at by the engine for a moment.
  async #judge() {
    this.judge.disabled = true;
    const waiting = {};
    this.net = new Link({ onmessage: (message) => waiting.take?.(message) });
    try {
      for (let i = 0; i < this.moves.length && !this.closed; i++) {
        this.judge.textContent = `Judging ${i + 1} of ${this.moves.length}`;
        if (this.moves[i].move.startsWith("@")) continue;
        const line = await judgement(this.net, waiting, i, this.game.profile, this.#before(i));
        if (line) Object.assign(this.moves[i], { score: line.score, depth: line.depth });
      }
    } catch (error) {
      notice(error.message);
    }
    this.net.close();
    this.judge.textContent = "Judged";
    if (!this.closed) this.#to(this.ply);
  }

  close() {
    this.closed = true;
    this.going = false;
    this.net?.close();
    this.animator.skip();
  }
}

// The best line of a position after a moment's search.
function judgement(net, waiting, id, profile, position) {
  return new Promise((resolve, reject) => {
    let line = null;
    const finish = () => {
      waiting.take = null;
      net.send({ t: "stop" });
      resolve(line);
    };
    let timer = setTimeout(finish, JUDGE_MS * 10);
    waiting.take = (message) => {
      if (message.id !== id) return;
      if (message.t === "error") {
        clearTimeout(timer);
        reject(new Error(message.message));
      } else if (message.t === "analysis") {
        if (!line) {
          clearTimeout(timer);
          timer = setTimeout(finish, JUDGE_MS);
        }
        line = message.lines[0] ?? line;
        if (message.done) {
          clearTimeout(timer);
          finish();
        }
      }
    };
    net.ask({ t: "analyse", profile, position, lines: 1, id });
  });
}

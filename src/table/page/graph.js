// The score of a game, move by move, from South's side.

import { h, svg } from "./dom.js";
import { scoreText, scoreValue, titled } from "./pits.js";

const WIDTH = 600;
const HEIGHT = 140;
const PAD = 10;
// Centipawns at which the curve has gone half way to the edge.
const HALF = 400;
// A move that costs this much of the winning chances is marked (percent).
export const MISTAKE = 15;
export const BLUNDER = 30;

/** The height of a score, from -1 (North wins) to 1 (South wins). */
function height(value) {
  return (2 / Math.PI) * Math.atan(value / HALF);
}

/** South's score after the judgement of `move`, or null. */
export function southValue({ score, side }) {
  const value = scoreValue(score);
  return value === null ? null : side === "south" ? value : -value;
}

/** South's chances in percent, by the same curve as the graph. */
export function chances(value) {
  return 50 + 50 * height(value);
}

/**
 * The moves after which the chances of their maker had fallen, as the next
 * judgement of the same player, or of the other, tells: index -> percent lost.
 */
export function mistakes(moves) {
  const found = new Map();
  for (let i = 0; i + 1 < moves.length; i++) {
    const before = southValue(moves[i]), after = southValue(moves[i + 1]);
    if (before === null || after === null) continue;
    const sign = moves[i].side === "south" ? 1 : -1;
    const lost = sign * (chances(before) - chances(after));
    if (lost >= MISTAKE) found.set(i, lost);
  }
  return found;
}

export class Graph {
  /** `onpick(ply)` when a point of the graph is chosen. */
  constructor(onpick) {
    this.onpick = onpick;
    this.picture = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", preserveAspectRatio: "none",
      onclick: (event) => this.#pick(event),
    });
    this.caption = h("figcaption", { text: "Score graph: above the line South is better." });
    this.element = h("figure", { class: "scores" }, this.picture, this.caption);
  }

  #pick(event) {
    const box = this.picture.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - PAD) / (WIDTH - 2 * PAD);
    this.onpick?.(Math.round(Math.min(1, Math.max(0, share)) * this.length));
  }

  /** Draws `moves`; `ply` is marked, and so are the `wrong` moves (a map). */
  draw(moves, ply = moves.length, wrong = new Map()) {
    this.length = Math.max(1, moves.length);
    const x = (at) => PAD + (at / this.length) * (WIDTH - 2 * PAD);
    const y = (value) => HEIGHT / 2 - height(value) * (HEIGHT / 2 - PAD);
    const points = moves.map((move, i) => ({ at: i + 1, value: southValue(move), move }))
      .filter(({ value }) => value !== null);
    const parts = [
      svg("rect", { class: "ground", width: WIDTH, height: HEIGHT }),
      svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("line", { class: "here", x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }),
    ];
    if (points.length) {
      const line = points.map(({ at, value }) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`);
      parts.push(svg("path", {
        class: "area",
        d: `M ${x(points[0].at)} ${HEIGHT / 2} L ${line.join(" L ")} L ${x(points.at(-1).at)} ${HEIGHT / 2} z`,
      }), svg("path", { class: "curve", d: `M ${line.join(" L ")}` }));
      for (const { at, value } of points) {
        const lost = wrong.get(at - 1);
        if (lost !== undefined) {
          parts.push(svg("path", { class: lost >= BLUNDER ? "blunder" : "mistake", d: `M ${x(at)} ${y(value)} h 0.01` }));
        }
      }
    }
    this.picture.replaceChildren(...parts);
    this.#say(points, wrong);
  }

  #say(points, wrong) {
    const last = points.at(-1)?.move;
    const text = last ? `Score graph: above the line South is better. Last: ${titled(last.side)} ${scoreText(last.score)}`
      + (wrong.size ? `; ${wrong.size} marked` : "") : "Score graph: no scores yet.";
    this.caption.textContent = text;
    this.picture.setAttribute("aria-label", text);
  }
}

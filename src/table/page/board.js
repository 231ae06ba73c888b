// The board: one SVG that scales with the page. North is always on top.

import { svg } from "./dom.js";
import { ROWS, allPits, columnOf, heldPits, parsePosition, pitName, rowOf, sideOf, spoken } from "./pits.js";

// In units of the drawing: a pit has a cell of 100 by 100.
const CELL = 100;
const MARGIN = { left: 92, right: 46, top: 44, bottom: 14 };
const MIDDLE = 22;
const HOLE = 44;
const SEED_RING = 34;
const SEEDS_SHOWN = 8;

// A touch of at least so many milliseconds looks at a pit and does not choose it.
const LOOK = 400;

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The middle of a pit in the drawing. */
export function centre(pit) {
  const line = ROWS.indexOf(rowOf(pit));
  return {
    x: MARGIN.left + columnOf(pit) * CELL + CELL / 2,
    y: MARGIN.top + line * CELL + CELL / 2 + (line >= 2 ? MIDDLE : 0),
  };
}

export class Board {
  /**
   * `onchoose(pit)` on a click, Enter or Space; `onpreview(pit or null)` when a
   * pit is pointed at, held by a finger or focused; `onkey(event, pit)` for other keys.
   */
  constructor({ columns, label, onchoose, onpreview, onkey }) {
    Object.assign(this, { columns, onchoose, onpreview, onkey, cells: new Map() });
    this.width = MARGIN.left + columns * CELL + MARGIN.right;
    this.height = MARGIN.top + 4 * CELL + MIDDLE + MARGIN.bottom;
    this.overlay = svg("g", { class: "overlay", "aria-hidden": "true" });
    this.element = svg("svg", { viewBox: `0 0 ${this.width} ${this.height}`, class: "board" },
      this.#frame(), this.#grid(label), this.overlay);
    this.legal = new Set();
    this.touched = null;
    this.setFocusable("a1");
  }

  #frame() {
    const parts = [svg("rect", { class: "wood", x: 2, y: 2, width: this.width - 4, height: this.height - 4, rx: 26 })];
    const middle = MARGIN.top + 2 * CELL + MIDDLE / 2;
    parts.push(svg("line", { class: "divide", x1: MARGIN.left, x2: this.width - MARGIN.right, y1: middle, y2: middle }));
    for (let column = 0; column < this.columns; column++) {
      const { x } = centre(pitName(column, 4));
      parts.push(svg("text", { class: "coordinate", x, y: MARGIN.top - 12, text: pitName(column, 4)[0] }));
    }
    for (const row of ROWS) {
      const { y } = centre(pitName(0, row));
      parts.push(svg("text", { class: "coordinate", x: 26, y: y + 10, text: String(row) }));
    }
    for (const side of ["north", "south"]) parts.push(...this.#direction(side));
    return svg("g", { "aria-hidden": "true" }, ...parts);
  }

  // The way round of a side: a turn at each end and a chevron in each gap.
  #direction(side) {
    const [outer, inner] = side === "south" ? [1, 2] : [4, 3];
    const [upper, lower] = side === "south" ? [inner, outer] : [outer, inner];
    const last = this.columns - 1;
    const bend = (column, from, to, away) => {
      const a = centre(pitName(column, from)), b = centre(pitName(column, to));
      const x = a.x + away * (HOLE + 4);
      const head = Math.sign(a.y - b.y);
      return svg("path", {
        class: "way",
        d: `M ${x} ${a.y} C ${x + away * 36} ${a.y}, ${x + away * 36} ${b.y}, ${x} ${b.y}`
          + ` m ${away * 17} ${head * -2} l ${-away * 17} 2 l ${away * 8} ${head * 15}`,
      });
    };
    // Anticlockwise: down in the west, up in the east.
    const parts = [bend(0, upper, lower, -1), bend(last, lower, upper, 1)];
    for (const row of [upper, lower]) {
      const forward = row === lower ? 1 : -1;
      for (let column = 0; column < last; column++) {
        const { x, y } = centre(pitName(column, row));
        parts.push(svg("path", { class: "way", d: `M ${x + 50 - forward * 3} ${y - 7} l ${forward * 6} 7 l ${-forward * 6} 7` }));
      }
    }
    return parts;
  }

  #grid(label) {
    const rows = ROWS.map((row) => svg("g", { role: "row" },
      ...[...Array(this.columns).keys()].map((column) => this.#pit(pitName(column, row)))));
    return svg("g", {
      role: "grid", "aria-label": label ?? "Board", class: "pits",
      onkeydown: (event) => this.#keydown(event),
      onpointerleave: () => this.onpreview?.(null),
      onfocusout: () => this.onpreview?.(null),
      // Else a long touch opens a menu of the browser.
      oncontextmenu: (event) => { if (this.touched !== null) event.preventDefault(); },
    }, ...rows);
  }

  #pit(pit) {
    const { x, y } = centre(pit);
    const seeds = svg("g", { class: "seeds" });
    const count = svg("text", { class: "count", y: 17, text: "" });
    const element = svg("g", {
      class: `pit ${sideOf(pit)}`, role: "gridcell", tabindex: "-1", "data-pit": pit,
      transform: `translate(${x} ${y})`,
      onpointerdown: (event) => { this.touched = event.pointerType === "touch" ? event.timeStamp : null; },
      onclick: (event) => this.#click(event, pit),
      onpointerenter: () => this.onpreview?.(pit),
      onfocusin: () => this.onpreview?.(pit),
    },
    svg("rect", { class: "focus", x: -49, y: -49, width: 98, height: 98, rx: 14 }),
    svg("circle", { class: "hole", r: HOLE }), seeds,
    svg("circle", { class: "ring", r: HOLE }),
    svg("path", { class: "landing", d: "M -12 -42 h 24 l -12 16 z" }), count);
    this.cells.set(pit, { element, seeds, count, n: null });
    return element;
  }

  #click(event, pit) {
    const looked = this.touched !== null && event.timeStamp - this.touched >= LOOK;
    this.touched = null;
    if (looked) return;
    this.setFocusable(pit);
    this.onchoose?.(pit);
  }

  #keydown(event) {
    const pit = event.target.closest("[data-pit]")?.getAttribute("data-pit");
    if (!pit || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = KEYS[event.key];
    if (step) {
      const column = Math.min(this.columns - 1, Math.max(0, columnOf(pit) + step[0]));
      const line = Math.min(3, Math.max(0, ROWS.indexOf(rowOf(pit)) + step[1]));
      this.focus(pitName(column, ROWS[line]));
    } else if (event.key === "Home" || event.key === "End") {
      this.focus(pitName(event.key === "Home" ? 0 : this.columns - 1, rowOf(pit)));
    } else if ((event.key === "Enter" || event.key === " ") && this.onchoose) {
      this.onchoose(pit);
    } else {
      this.onkey?.(event, pit);
      return;
    }
    event.preventDefault();
  }

  setFocusable(pit) {
    for (const [name, cell] of this.cells) cell.element.setAttribute("tabindex", name === pit ? "0" : "-1");
  }

  focus(pit) {
    this.setFocusable(pit);
    this.cells.get(pit)?.element.focus();
  }

  hasFocus() {
    return this.element.contains(document.activeElement);
  }

  setCount(pit, n) {
    const cell = this.cells.get(pit);
    if (!cell) return;
    if (cell.n !== n) {
      cell.n = n;
      cell.count.textContent = String(n);
      cell.element.classList.toggle("empty", n === 0);
      cell.element.classList.toggle("wide", n > 9);
      cell.seeds.replaceChildren(...seedsOf(Math.min(n, SEEDS_SHOWN)));
    }
    this.#name(pit);
  }

  /** Shows a position string: its seeds, and what is out of play. */
  setPosition(text) {
    const position = parsePosition(text);
    this.held = heldPits(position);
    this.mark("held", this.held);
    this.setCounts(position.counts);
  }

  setCounts(counts) {
    for (const pit of allPits(this.columns)) this.setCount(pit, counts[pit] ?? 0);
  }

  setLegal(pits) {
    this.legal = new Set(pits);
    for (const [pit, { element }] of this.cells) {
      element.classList.toggle("legal", this.legal.has(pit));
      this.#name(pit);
    }
    const focusable = [...this.cells].find(([, { element }]) => element.getAttribute("tabindex") === "0")?.[0];
    if (this.legal.size && !this.hasFocus() && !this.legal.has(focusable)) this.setFocusable([...this.legal][0]);
  }

  /** Marks pits by a class, and no others: "landed", "from", "taken", "ends"… */
  mark(kind, pits) {
    for (const [pit, { element }] of this.cells) element.classList.toggle(kind, pits.includes(pit));
    if (kind === "landed") {
      this.landed = pits;
      for (const pit of this.cells.keys()) this.#name(pit);
    }
  }

  #name(pit) {
    const { element, n } = this.cells.get(pit);
    const parts = [spoken(pit), n === 1 ? "1 seed" : `${n} seeds`];
    if (this.held?.includes(pit)) parts.push("out of play in the first phase");
    if (this.legal?.has(pit)) parts.push("can be played");
    if (this.landed?.includes(pit)) parts.push("last seed fell here");
    element.setAttribute("aria-label", parts.join(", "));
  }

  /** An arrow from pit to pit in the overlay, removed by `clearOverlay`. */
  arrow(from, to, kind = "best") {
    const a = centre(from), b = centre(to);
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = Math.hypot(dx, dy);
    if (length < 1) return this.ghost(from, "", kind);
    const [ux, uy] = [dx / length, dy / length];
    const [x, y] = [b.x - ux * 32, b.y - uy * 32];
    const [sx, sy] = [a.x + ux * 34, a.y + uy * 34];
    const bow = Math.min(40, length / 5);
    const [mx, my] = [(sx + x) / 2 - uy * bow, (sy + y) / 2 + ux * bow];
    const angle = Math.atan2(y - my, x - mx);
    const wing = (turn) => `L ${x - 26 * Math.cos(angle + turn)} ${y - 26 * Math.sin(angle + turn)}`;
    const line = svg("path", {
      class: `arrow ${kind}`,
      d: `M ${sx} ${sy} Q ${mx} ${my} ${x} ${y} ${wing(0.5)} M ${x} ${y} ${wing(-0.5)}`,
    });
    this.overlay.append(line);
    return line;
  }

  /** A small label at a pit in the overlay. */
  ghost(pit, text, kind = "ghost") {
    const { x, y } = centre(pit);
    const label = svg("g", { class: `tag ${kind}`, transform: `translate(${x} ${y})` },
      svg("circle", { r: HOLE + 2 }),
      ...(text ? [svg("rect", { x: -33, y: 22, width: 66, height: 28, rx: 8 }), svg("text", { y: 43, text })] : []));
    this.overlay.append(label);
    return label;
  }

  clearOverlay(kind) {
    for (const child of [...this.overlay.children]) {
      if (!kind || child.classList.contains(kind)) child.remove();
    }
  }
}

// Up to eight seeds on a ring, so that the numeral stays free.
function seedsOf(n) {
  return [...Array(n).keys()].map((i) => {
    const angle = (i / Math.max(n, 5)) * 2 * Math.PI - Math.PI / 2 - (n < 5 ? ((n - 1) / 10) * 2 * Math.PI : 0) + Math.PI;
    const [x, y] = [SEED_RING * Math.cos(angle), SEED_RING * Math.sin(angle)];
    return svg("ellipse", {
      class: "seed", rx: 8, ry: 5.5,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${((angle * 180) / Math.PI + 90).toFixed(0)})`,
    });
  });
}

// The board by name: pits, rows, sowing order, and the text of positions.

export const ROWS = [4, 3, 2, 1];
const FIRST_LETTER = "a".charCodeAt(0);

export function pitName(column, row) {
  return String.fromCharCode(FIRST_LETTER + column) + row;
}

export function columnOf(pit) {
  return pit.charCodeAt(0) - FIRST_LETTER;
}

export function rowOf(pit) {
  return Number(pit[1]);
}

export function sideOf(pit) {
  return rowOf(pit) <= 2 ? "south" : "north";
}

export function other(side) {
  return side === "south" ? "north" : "south";
}

export function titled(side) {
  return side === "south" ? "South" : "North";
}

/** All pits as they lie, row by row from North's outer row down. */
export function allPits(columns) {
  return ROWS.flatMap((row) => [...Array(columns).keys()].map((column) => pitName(column, row)));
}

/** The pits of a side in its own sowing order: the outer row, then the inner. */
export function sowingOrder(side, columns) {
  const east = [...Array(columns).keys()];
  const west = [...east].reverse();
  const [outer, inner] = side === "south" ? [1, 2] : [4, 3];
  const [there, back] = side === "south" ? [east, west] : [west, east];
  return [...there.map((c) => pitName(c, outer)), ...back.map((c) => pitName(c, inner))];
}

/** Where a sowing of `seeds` from `from` drops them, pit by pit. */
export function sowingPath(from, seeds, columns, skipped = [], onto = false) {
  const ring = sowingOrder(sideOf(from), columns).filter((pit) => pit === from || !skipped.includes(pit));
  const start = ring.indexOf(from) + (onto ? 0 : 1);
  return [...Array(seeds).keys()].map((i) => ring[(start + i) % ring.length]);
}

/** "e2, South inner" for people who listen. */
export function spoken(pit) {
  const row = rowOf(pit);
  return `${pit}, ${titled(sideOf(pit))} ${row === 1 || row === 4 ? "outer" : "inner"}`;
}

/** A position string as counts by pit, side to move and first phases. */
export function parsePosition(text) {
  const [board, side, first] = text.trim().split(/\s+/);
  const rows = board.split("/").map((row) => row.split(",").map(Number));
  const counts = {};
  rows.forEach((row, i) => row.forEach((n, column) => { counts[pitName(column, ROWS[i])] = n; }));
  return { counts, columns: rows[0].length, side: side === "N" ? "north" : "south", first: first ?? "-" };
}

// The board of eight columns is that of isolo, where a side in its first phase
// has these pits out of play; in kisolo-free it has not set up yet.
const HELD = { S: ["h1", "h2"], N: ["a4", "a3"] };
const HELD_COLUMNS = 8;

/** The pits that are out of play. */
export function heldPits({ first, columns }) {
  return columns === HELD_COLUMNS ? Object.keys(HELD).filter((side) => first.includes(side)).flatMap((side) => HELD[side]) : [];
}

/** The same back to a string. */
export function positionText({ counts, columns, side, first }) {
  const rows = ROWS.map((row) => [...Array(columns).keys()].map((c) => counts[pitName(c, row)] ?? 0).join(","));
  return `${rows.join("/")} ${side === "north" ? "N" : "S"} ${first}`;
}

/** A score in words: seeds for the side named, or turns to a win. */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined && score.mate !== null) {
    return score.mate > 0 ? `win in ${score.mate}` : score.mate < 0 ? `loss in ${-score.mate}` : "lost";
  }
  const seeds = score.cp / 100;
  return (seeds > 0 ? "+" : "") + seeds.toFixed(2);
}

const WIN_SCORE = 10000;

/** One number for a score, larger is better for the mover. */
export function scoreValue(score) {
  if (!score) return null;
  if (score.mate === undefined || score.mate === null) return score.cp;
  return score.mate > 0 ? WIN_SCORE - score.mate : -WIN_SCORE - score.mate;
}

/** Milliseconds as minutes and seconds; below ten seconds with tenths. */
export function clockText(ms) {
  const left = Math.max(0, ms);
  const tenths = Math.floor(left / 100) / 10;
  if (tenths < 10) return `0:0${tenths.toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

// Results and turns in words.

import { summary } from "./animate.js";
import { titled } from "./pits.js";

const REASONS = {
  "rules": "by the rules",
  "endless-turn": "an endless turn is a draw",
  "repetition": "the same position for the third time",
  "turn-limit": "the limit of turns was reached",
  "draw-by-score": "agreed: the game was even",
  "resign-by-score": "given up",
  "illegal-move": "an illegal move",
  "time": "the time ran out",
  "crash": "the engine broke down",
  "no-answer": "the engine did not answer",
  "no-start": "the engine could not be started",
  "draw-agreed": "agreed",
  "resignation": "given up",
};

/** "South has won: by the rules". */
export function resultText({ winner, reason, note }) {
  const head = winner === "draw" ? "A draw" : `${titled(winner)} has won`;
  return `${head}: ${REASONS[reason] ?? reason}${note ? ` (${note})` : ""}.`;
}

/** "North played e4: 3 packets, takes 2, ends at c3." */
export function moveText({ move, side, trace }) {
  if (move.startsWith("@")) return `${titled(side)} has set up.`;
  return `${titled(side)} played ${move}: ${summary(trace)}.`;
}

/** "kisolo, level 1000" or the name of a person. */
export function seatText({ kind, name, level }) {
  if (kind === "open") return "free seat";
  return kind === "engine" && level ? `${name} (${level})` : name;
}

// A turn shown packet by packet, from the trace that the server sends: no
// rules are known here.

import { button, field, h, store, svg } from "./dom.js";
import { centre } from "./board.js";
import { parsePosition } from "./pits.js";

// Milliseconds a seed at each place of the slider; the last shows no way.
const PACE = [520, 340, 230, 160, 110, 70, 40, 20, 0];
const USUAL_PACE = 4;
// A long relay goes faster, so that no turn takes much longer than this.
const LONGEST_MS = 9000;
// A capture takes as long as this many seeds, a look at the next pit one more.
const CAPTURE_BEATS = 4;
const REST_BEATS = 1.5;
// With less motion, whole packets are shown, each for this time.
const STILL_MS = 450;

const lessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

function pace() {
  const kept = store.get("kisolo.pace");
  return Number.isInteger(kept) && kept >= 0 && kept < PACE.length ? kept : USUAL_PACE;
}

/** The stages of a turn, for stepping: counts, a sentence, what to mark. */
export function stages(before, trace) {
  const counts = { ...before };
  const list = [];
  const add = (text, marks) => list.push({ counts: { ...counts }, text, marks });
  const capture = (taken, where) => {
    const n = empty(counts, taken);
    if (taken.into) counts[taken.into] += n;
    const from = taken.from.map(([pit]) => pit).join(" and ");
    add(`${where}${taken.by} captures ${seedsText(n)} from ${from}`
      + (taken.into ? `: they go into ${taken.into}.` : ": they are taken into the hand, to be sown."),
    { taken: taken.from.map(([pit]) => pit), into: [taken.into ?? taken.by] });
    return n;
  };
  for (const taken of trace.start_captures) capture(taken, "At the start of the turn ");
  trace.steps.forEach((step, i) => {
    if (step.from) counts[step.from] = 0;
    for (const pit of step.path) counts[pit] += 1;
    const last = step.path.at(-1);
    const hand = step.from ? `${step.from} is sown` : "The captured seeds are sown";
    add(`Packet ${i + 1}: ${hand}, ${seedsText(step.path.length)}, the last into ${last}.`,
      { from: step.from ? [step.from] : [], landed: [last] });
    if (step.capture) capture(step.capture, "");
  });
  if (trace.cut) add(`… and so on, ${trace.packets} packets in all.`, {});
  const ending = trace.ends === "draw" ? "The turn would never end: the game is drawn."
    : trace.ends ? `The turn ends, and ${trace.ends === "south" ? "South" : "North"} has won.` : "The turn ends.";
  Object.assign(counts, parsePosition(trace.after).counts);
  add(ending, { landed: trace.last ? [trace.last] : [] });
  return list;
}

function empty(counts, capture) {
  let n = 0;
  for (const [pit, seeds] of capture.from) {
    n += seeds;
    counts[pit] = 0;
  }
  return n;
}

export function seedsText(n) {
  return n === 1 ? "1 seed" : `${n} seeds`;
}

/** "4 packets, takes 5, ends at c1". */
export function summary(trace) {
  const parts = [trace.packets === 1 ? "1 packet" : `${trace.packets} packets`];
  if (trace.taken) parts.push(`takes ${trace.taken}`);
  if (trace.ends === "draw") parts.push("endless: a draw");
  else if (trace.last) parts.push(`ends at ${trace.last}`);
  if (trace.ends && trace.ends !== "draw") parts.push(`${trace.ends === "south" ? "South" : "North"} wins`);
  return parts.join(", ");
}

/** The pits that a turn captures from, with the seeds taken from each. */
export function takenPits(trace) {
  const taken = new Map();
  const captures = [...trace.start_captures, ...trace.steps.map((step) => step.capture)].filter(Boolean);
  for (const [pit, n] of captures.flatMap(({ from }) => from)) {
    if (n > 0) taken.set(pit, (taken.get(pit) ?? 0) + n);
  }
  return taken;
}

export class Animator {
  constructor(board) {
    this.board = board;
    this.running = null;
    this.counter = h("output", { class: "packets", "aria-hidden": "true" });
    const slider = h("input", {
      type: "range", min: 0, max: PACE.length - 1, value: pace(), class: "pace",
      oninput: () => store.set("kisolo.pace", Number(slider.value)),
    });
    this.skipper = button("Skip", () => this.skip(), { class: "small", disabled: true });
    this.bar = h("div", { class: "animation" }, field("Speed", slider), this.skipper, this.counter);
  }

  skip() {
    if (this.running) this.running.skipped = true;
    this.running?.wake?.();
  }

  /** Shows the turn that `trace` tells, and ends with the board after it. */
  async play(before, trace) {
    this.skip();
    await this.running?.done;
    const run = { skipped: document.hidden || PACE[pace()] === 0 };
    let finish;
    run.done = new Promise((resolve) => { finish = resolve; });
    this.running = run;
    this.skipper.disabled = false;
    this.board.setCounts(before);
    this.board.mark("landed", []);
    const counts = { ...before };
    try {
      if (!run.skipped) await (lessMotion.matches ? this.#stills(run, before, trace) : this.#moves(run, counts, trace));
    } finally {
      for (const kind of ["from", "taken", "into", "passing"]) this.board.mark(kind, []);
      this.board.clearOverlay("flying");
      this.board.setPosition(trace.after);
      this.board.mark("landed", trace.last ? [trace.last] : []);
      this.tell(trace);
      this.skipper.disabled = true;
      if (this.running === run) this.running = null;
      finish();
    }
  }

  /** Says how many packets a turn had that has been shown. */
  tell(trace) {
    this.#count(trace?.packets ?? 0, trace ?? { packets: 0 });
  }

  #count(n, trace) {
    const all = trace.packets === 1 ? "1 packet" : `${trace.packets} packets`;
    this.counter.textContent = n < trace.packets ? `packet ${n} of ${trace.packets}` : trace.packets ? all : "";
  }

  async #stills(run, before, trace) {
    const list = stages(before, trace);
    const ms = Math.min(STILL_MS, LONGEST_MS / list.length);
    let packet = 0;
    for (const { counts, text, marks } of list) {
      if (run.skipped) return;
      if (text.startsWith("Packet")) this.#count(++packet, trace);
      this.board.setCounts(counts);
      for (const kind of ["from", "taken", "into", "landed"]) this.board.mark(kind, marks[kind] ?? []);
      await rest(run, ms);
    }
  }

  async #moves(run, counts, trace) {
    const seeds = trace.steps.reduce((sum, step) => sum + step.path.length + REST_BEATS, 1);
    const beat = () => Math.min(PACE[pace()], LONGEST_MS / seeds);
    let hand = null;
    for (const capture of trace.start_captures) hand = await this.#transfer(run, counts, capture, beat);
    for (const [i, step] of trace.steps.entries()) {
      if (run.skipped) break;
      this.#count(i + 1, trace);
      hand = await this.#packet(run, counts, step, beat, hand);
      if (step.capture) {
        const carried = await this.#transfer(run, counts, step.capture, beat);
        if (!step.capture.into) hand = carried;
      }
    }
  }

  async #packet(run, counts, step, beat, carried) {
    const hand = carried ?? this.#token(step.from ?? step.path[0], "hand");
    let left = step.path.length;
    hand.label.textContent = String(left);
    if (step.from) {
      counts[step.from] = 0;
      this.board.setCount(step.from, 0);
      this.board.mark("from", [step.from]);
    }
    await rest(run, beat() * REST_BEATS);
    for (const pit of step.path) {
      if (run.skipped) break;
      const ms = beat();
      moveTo(hand, pit, ms * 0.7);
      await rest(run, ms);
      counts[pit] += 1;
      left -= 1;
      hand.label.textContent = String(left);
      this.board.setCount(pit, counts[pit]);
      this.board.mark("passing", [pit]);
    }
    hand.element.remove();
    this.board.mark("from", []);
    this.board.mark("passing", []);
    this.board.mark("landed", [step.path.at(-1)]);
    return null;
  }

  // Captured seeds fly to the pit they go into, or into the hand (returned).
  async #transfer(run, counts, capture, beat) {
    if (run.skipped) return null;
    const goal = capture.into ?? capture.by;
    const ms = Math.max(beat() * CAPTURE_BEATS, Math.min(160, beat() * 20));
    this.board.mark("taken", capture.from.map(([pit]) => pit));
    this.board.mark("into", [goal]);
    const tokens = capture.from.filter(([, n]) => n > 0).map(([pit, n]) => {
      const token = this.#token(pit, "capture");
      token.label.textContent = `+${n}`;
      counts[pit] = 0;
      this.board.setCount(pit, 0);
      return token;
    });
    await rest(run, ms / 4);
    for (const token of tokens) moveTo(token, goal, ms / 2);
    await rest(run, ms * 0.75);
    for (const token of tokens) token.element.remove();
    const n = capture.from.reduce((sum, [, seeds]) => sum + seeds, 0);
    let hand = null;
    if (capture.into) {
      counts[goal] += n;
      this.board.setCount(goal, counts[goal]);
    } else {
      hand = this.#token(goal, "hand");
    }
    this.board.mark("taken", []);
    this.board.mark("into", []);
    return hand;
  }

  #token(pit, kind) {
    const label = svg("text", { y: 12 });
    const element = svg("g", { class: `flying ${kind}` }, svg("circle", { r: 26 }), label);
    this.board.overlay.append(element);
    const token = { element, label };
    moveTo(token, pit, 0);
    return token;
  }
}

function moveTo({ element }, pit, ms) {
  const { x, y } = centre(pit);
  element.style.transition = ms > 8 ? `transform ${Math.round(ms)}ms ease-in-out` : "none";
  // The first place must be drawn before the way from it can be.
  if (ms > 8) element.getBoundingClientRect();
  element.style.transform = `translate(${x}px, ${y - 30}px)`;
}

function rest(run, ms) {
  if (run.skipped || ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    run.wake = () => { clearTimeout(timer); resolve(); };
  });
}

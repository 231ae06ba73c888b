// The fields that the forms share: rules, start, levels, clocks.

import { field, h, select, setOptions } from "./dom.js";

const OWN_POSITION = "position";

const ABOUT = {
  "kisolo": "captures stay on the board; win by emptying the enemy outer row",
  "kisolo-free": "both sides arrange 21 seeds first; captured seeds are sown",
  "kisolo-full": "three seeds in every pit; captured seeds are sown",
  "isolo": "eight columns, two phases; win by leaving the enemy without a turn",
};

/** Profile and start position; `value()` gives both, `profiles` is their list. */
export function rulesFields(choices, profile, position = null) {
  const about = h("small");
  const text = h("input", { type: "text", class: "wide", spellcheck: "false", autocomplete: "off", value: position ?? "" });
  const own = field("Position", text, "ROW4/ROW3/ROW2/ROW1 SIDE FIRST");
  const start = select([], "", () => { own.hidden = start.value !== OWN_POSITION; });
  const profiles = select(choices.profiles.map(({ name }) => [name, name]), profile ?? choices.profiles[0].name, () => change());
  function change() {
    const { name, starts } = choices.profiles.find(({ name }) => name === profiles.value);
    setOptions(start, [...starts.map((s) => [s, s]), [OWN_POSITION, "a position of my own"]], position ? OWN_POSITION : starts[0]);
    about.textContent = ABOUT[name] ?? "";
    own.hidden = start.value !== OWN_POSITION;
  }
  change();
  const rules = field("Rules", profiles);
  rules.append(about);
  return {
    elements: [rules, field("Start", start), own], profiles,
    value: () => ({ profile: profiles.value, start: start.value === OWN_POSITION ? text.value.trim() : start.value }),
  };
}

const FULL = "full";

/** An engine and a level that it has by these rules; `value()` gives the seat. */
export function engineFields(choices, rules, label, level = FULL) {
  const engine = select(choices.engines.map((name) => [name, name]), choices.engines[0], () => change());
  const levels = select([], "");
  function change(wanted = levels.value) {
    const builtIn = engine.value === choices.engines[0];
    const own = builtIn ? choices.profiles.find(({ name }) => name === rules.profiles.value) : choices;
    const kept = own.levels.some((n) => String(n) === String(wanted)) ? wanted : FULL;
    setOptions(levels, [...own.levels.map((n) => [n, levelText(n)]), [FULL, "full strength"]], kept);
  }
  rules.profiles.addEventListener("change", () => change());
  change(level);
  const elements = [field(label, levels)];
  // Most have the built-in engine only, and nothing to choose.
  if (choices.engines.length > 1) elements.push(field("Engine", engine));
  return {
    elements, levels,
    value: (move_ms = null) => ({
      kind: "engine", engine: engine.value, level: levels.value === FULL ? null : Number(levels.value), move_ms,
    }),
  };
}

// From which level on a word fits.
const WORDS = [[2200, "master"], [1800, "strong"], [1400, "club player"], [1000, "casual player"], [700, "beginner"], [0, "first steps"]];

function levelText(level) {
  return `${level}, ${WORDS.find(([from]) => level >= from)[1]}`;
}

const CLOCKS = [["", "no clock"], ["180+2", "3 min + 2 s"], ["300+0", "5 min"], ["600+5", "10 min + 5 s"], ["1800+10", "30 min + 10 s"], ["own", "other …"]];

/** A clock or none. */
export function clockFields() {
  const minutes = h("input", { type: "number", min: 1, max: 1440, value: 15 });
  const seconds = h("input", { type: "number", min: 0, max: 600, value: 10 });
  const own = [field("Minutes", minutes), field("Seconds a move", seconds)];
  const clocks = select(CLOCKS, "", () => change());
  function change() { for (const part of own) part.hidden = clocks.value !== "own"; }
  change();
  return {
    elements: [field("Clock", clocks), ...own],
    value() {
      if (!clocks.value) return null;
      const [base, increment] = clocks.value === "own"
        ? [Number(minutes.value) * 60, Number(seconds.value)] : clocks.value.split("+").map(Number);
      return { base_ms: Math.round(base * 1000), increment_ms: Math.round(increment * 1000) };
    },
  };
}

/** A group of radio buttons: [value, label] pairs. */
export function radios(legend, name, options, value, onchange) {
  const inputs = options.map(([key]) => h("input", { type: "radio", name, value: key, checked: key === value, onchange }));
  const element = h("fieldset", { class: "radios" }, h("legend", { text: legend }),
    ...options.map(([, label], i) => h("label", {}, inputs[i], h("span", { text: label }))));
  return { element, inputs, value: () => inputs.find((input) => input.checked).value };
}

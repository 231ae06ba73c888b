// Elements without markup: whatever comes from outside goes in as text.

const SVG = "http://www.w3.org/2000/svg";

// A handler goes to "on…", a truth value sets or leaves out an attribute, and
// "text" is text; everything else is an attribute.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element with attributes and children (elements or texts). */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes, text: label });
}

/** A control with its label before it. */
export function field(label, control, note) {
  const parts = [h("span", { text: label }), control];
  if (note) parts.push(h("small", { text: note }));
  return h("label", { class: "field" }, ...parts);
}

/** A `select` of [value, label] pairs. */
export function select(options, value, onchange) {
  const list = h("select", { onchange });
  setOptions(list, options, value);
  return list;
}

export function setOptions(list, options, value) {
  list.replaceChildren(...options.map(([key, label]) => h("option", { value: key, text: label })));
  if (options.some(([key]) => String(key) === String(value))) list.value = String(value);
}

/** Says `text` to a screen reader, once the present one is said. */
export function announce(text) {
  const region = document.getElementById("live");
  if (!region || !text) return;
  region.append(h("p", { text }));
  while (region.childElementCount > LIVE_LINES) region.firstElementChild.remove();
}

const LIVE_LINES = 5;

let noticeTimer = 0;
const NOTICE_MS = 8000;

/** A passing notice, such as an error of the server. */
export function notice(text) {
  const box = document.getElementById("notice");
  if (!box) return;
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(noticeTimer);
  if (text) noticeTimer = setTimeout(() => { box.hidden = true; }, NOTICE_MS);
}

/** Storage that may be forbidden: then nothing is kept. */
export const store = {
  get(key) {
    try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* nothing is kept */ }
  },
};

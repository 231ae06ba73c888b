// Which view is shown: the part of the address behind "#" decides.

import { h } from "./dom.js";
import { playView } from "./play.js";
import { roomView } from "./room.js";
import { watchView } from "./watch.js";
import { analyseView } from "./analyse.js";

const VIEWS = { play: playView, watch: watchView, analyse: analyseView };

let current = null;
let shown = null;

/** Goes to an address without a new view when `quiet`. */
export function go(fragment, quiet = false) {
  if (quiet) {
    history.replaceState(null, "", fragment);
    shown = fragment;
  } else {
    location.hash = fragment;
  }
}

function show() {
  const fragment = location.hash || "#play";
  if (fragment === shown) return;
  shown = fragment;
  current?.close?.();
  const main = document.getElementById("main");
  const parameters = new URLSearchParams(fragment.slice(1));
  const name = parameters.has("t") ? "table" : fragment.slice(1).split("?")[0];
  const query = new URLSearchParams(fragment.split("?")[1] ?? "");
  main.replaceChildren();
  current = name === "table" ? roomView(main, parameters, go) : (VIEWS[name] ?? playView)(main, query, go);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `/#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = main.querySelector("h1")?.textContent ? `${main.querySelector("h1").textContent} · kisolo` : "kisolo";
}

window.addEventListener("hashchange", show);
window.addEventListener("pagehide", () => current?.leave?.());
document.getElementById("skip").addEventListener("click", () => document.getElementById("main").focus());
document.body.append(h("div", { id: "live", class: "unseen", role: "log", "aria-live": "polite" }));
show();

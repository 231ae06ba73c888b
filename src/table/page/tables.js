// The tables of this browser and their keys, so that none is lost with its tab.

import { store } from "./dom.js";

const TABLES = "kisolo.tables";
const TABLES_KEPT = 20;

/** What is known of a table: {token, what, time}. */
export function known(id) {
  return (store.get(TABLES) ?? {})[id];
}

/** The tables of this browser, newest first: [id, {token, what, time}]. */
export function remembered() {
  return Object.entries(store.get(TABLES) ?? {}).sort(([, a], [, b]) => b.time - a.time);
}

/** Keeps what is known of a table; of no table: forgets all. */
export function remember(id, what) {
  if (id === null) return store.set(TABLES, {});
  const others = Object.fromEntries(remembered().filter(([table]) => table !== id).slice(0, TABLES_KEPT - 1));
  return store.set(TABLES, { ...others, [id]: { ...known(id), ...what } });
}

// The line to the server: a WebSocket that comes back by itself, and two
// requests.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;

/** What the server offers; asked once. */
let offered = null;
export function choices() {
  offered ??= fetch("/api/choices").then((answer) => {
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    return answer.json();
  });
  offered.catch(() => { offered = null; });
  return offered;
}

/** Sends `body` (an object, or a text as it is); errors are in words. */
export async function post(path, body) {
  const text = typeof body === "string";
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": text ? "text/plain" : "application/json" },
    body: text ? body : JSON.stringify(body),
  });
  const said = await answer.text();
  let value = null;
  try { value = JSON.parse(said); } catch { /* not JSON: an error in words */ }
  if (!answer.ok) throw new Error(value?.message ?? value?.error ?? (said || `the server answers ${answer.status}`));
  return value;
}

export class Link {
  /**
   * `greeting()` is the message that opens every new connection, or null;
   * `onmessage(object)`; `onlink("open" | "lost" | "closed", seconds)`.
   */
  constructor({ greeting, onmessage, onlink }) {
    Object.assign(this, { greeting, onmessage, onlink, wait: FIRST_WAIT_MS, closed: false, waiting: [] });
    this.wake = () => { if (this.timer && !document.hidden) this.#retry(); };
    window.addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#open();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      const hello = this.greeting?.();
      if (hello) socket.send(JSON.stringify(hello));
      for (const message of this.waiting.splice(0)) socket.send(JSON.stringify(message));
      this.onlink?.("open");
    };
    socket.onmessage = (event) => {
      let message;
      try { message = JSON.parse(event.data); } catch { return; }
      this.onmessage(message);
    };
    socket.onclose = () => {
      if (this.closed || this.socket !== socket) return;
      this.onlink?.("lost", Math.ceil(this.wait / 1000));
      this.timer = setTimeout(() => this.#retry(), this.wait);
      // Twice as long each time, and never in step with others.
      this.wait = Math.min(LONGEST_WAIT_MS, this.wait * 2) * (0.8 + Math.random() * 0.4);
    };
  }

  #retry() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.closed) this.#open();
  }

  get open() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Sends now, or says that it did not. */
  send(message) {
    if (!this.open) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends now or with the next connection. For questions, not for moves. */
  ask(message) {
    if (this.send(message)) return;
    this.waiting = this.waiting.filter((other) => other.t !== message.t);
    this.waiting.push(message);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.socket.close();
    this.onlink?.("closed");
  }
}

"use strict";
(() => {
  const games = JSON.parse(document.getElementById("positions").textContent);
  const viewer = document.getElementById("viewer");
  const board = viewer.querySelector(".board");
  const status = viewer.querySelector(".status");
  const slider = viewer.querySelector(".slider");
  const play = viewer.querySelector("[data-action=play]");
  let game = null; // the open <details>
  let positions = [];
  let ply = 0;
  let timer = 0;

  const { namespaceURI } = document.querySelector("svg");
  const svg = (name, attributes, text) => {
    const element = document.createElementNS(namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // The counts of a position's rows, row 4 first.
  const read = (rows) => rows.split("/").map((row) => row.split(",").map(Number));

  // Seeds in a pit, laid out like those of a sunflower.
  const seeds = (group, x, y, count) => {
    const shown = Math.min(count, 24);
    for (let i = 0; i < shown; i++) {
      const angle = i * 2.39996;
      const radius = 3.6 * Math.sqrt(i);
      group.append(svg("circle", {
        class: "seed", cx: x + radius * Math.cos(angle), cy: y - 4 + radius * Math.sin(angle), r: 2.6,
      }));
    }
  };

  const draw = () => {
    const [rows, side] = positions[ply].split(" ");
    const counts = read(rows);
    const before = ply > 0 ? read(positions[ply - 1].split(" ")[0]) : counts;
    const item = game.querySelector(`li[data-ply="${ply}"]`);
    const moved = item ? item.querySelector("b").textContent : "";
    const columns = counts[0].length;
    const width = 28 + columns * 56;
    const drawing = svg("svg", { viewBox: `0 0 ${width} 262`, role: "img", "aria-label": `Position ${positions[ply]}` });
    drawing.append(svg("rect", { class: "half" + (side === "N" ? " turn" : ""), x: 24, y: 2, width: columns * 56 + 2, height: 116, rx: 10 }));
    drawing.append(svg("rect", { class: "half" + (side === "S" ? " turn" : ""), x: 24, y: 122, width: columns * 56 + 2, height: 116, rx: 10 }));
    counts.forEach((row, r) => {
      const y = 31 + r * 58 + (r > 1 ? 3 : 0);
      drawing.append(svg("text", { x: 12, y: y + 5, "text-anchor": "middle" }, 4 - r));
      row.forEach((count, c) => {
        const x = 53 + c * 56;
        const name = "abcdefgh"[c] + (4 - r);
        const changed = count !== before[r][c] ? " changed" : "";
        drawing.append(svg("circle", { class: "pit" + changed + (name === moved ? " moved" : ""), cx: x, cy: y, r: 25 }));
        seeds(drawing, x, y, count);
        drawing.append(svg("text", { class: "count", x, y: y + 22, "text-anchor": "middle" }, count || ""));
      });
    });
    for (let c = 0; c < columns; c++) {
      drawing.append(svg("text", { x: 53 + c * 56, y: 256, "text-anchor": "middle" }, "abcdefgh"[c]));
    }
    board.replaceChildren(drawing);
    const who = side === "N" ? "North" : "South";
    status.textContent = (item ? `Move ${ply}, ${item.title}: ${item.textContent.trim()}` : "Start") +
      (ply === positions.length - 1 ? "; end of the game" : `; ${who} to move`);
    slider.value = ply;
    for (const other of game.querySelectorAll("li.now")) other.classList.remove("now");
    if (item) {
      item.classList.add("now");
      const list = item.parentElement;
      list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    const graph = game.querySelector("svg[data-x]");
    if (graph) {
      const [start, step] = graph.dataset.x.split(" ").map(Number);
      const cursor = graph.querySelector(".cursor");
      for (const end of ["x1", "x2"]) cursor.setAttribute(end, start + step * ply);
    }
  };

  const go = (to) => {
    ply = Math.max(0, Math.min(positions.length - 1, to));
    draw();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const actions = {
    first: () => go(0),
    back: () => go(ply - 1),
    next: () => go(ply + 1),
    last: () => go(Infinity),
    play: () => {
      if (timer) return stop();
      if (ply === positions.length - 1) go(0);
      play.textContent = "Stop";
      timer = setInterval(() => (ply < positions.length - 1 ? go(ply + 1) : stop()), 800);
    },
  };

  const open = (details) => {
    stop();
    game = details;
    positions = games[Number(details.dataset.game)].positions;
    viewer.hidden = positions.length === 0;
    if (viewer.hidden) return;
    details.querySelector(".slot").append(viewer);
    slider.max = positions.length - 1;
    go(0);
  };

  for (const details of document.querySelectorAll("details[data-game]")) {
    details.addEventListener("toggle", () => {
      if (details.open) open(details);
      else if (details === game) stop();
    });
    details.querySelector(".moves").addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item && positions.length > 0) {
        stop();
        go(Number(item.dataset.ply));
      }
    });
  }
  const first = document.querySelector("details[data-game][open]");
  if (first) open(first);
  viewer.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button !== play) stop();
    actions[button.dataset.action]();
  });
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  viewer.addEventListener("keydown", (event) => {
    const key = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!key || event.target === slider) return;
    event.preventDefault();
    stop();
    actions[key]();
  });
})();

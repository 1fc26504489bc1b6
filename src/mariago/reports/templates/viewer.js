const SVG = "http://www.w3.org/2000/svg";

function circle(x, y, radius, fill, stroke, width) {
  const shape = document.createElementNS(SVG, "circle");
  const values = { cx: x, cy: y, r: radius, fill: fill, stroke: stroke, "stroke-width": width };
  for (const name in values) shape.setAttribute(name, values[name]);
  return shape;
}

// Makes figure a viewer of the game data on the empty board; told(ply) hears of every step shown.
function Viewer(figure, data, board, told) {
  const stones = board.querySelector(".stones");
  const slider = figure.querySelector("input");
  const output = figure.querySelector("output");
  const note = figure.querySelector(".note");
  const now = Array.from(data.start, Number);
  const shapes = new Map();
  let ply = 0;
  let mark = null;

  function xy(move) {
    const row = Math.floor(move / data.columns);
    return [data.margin + (move % data.columns) * data.cell, data.margin + row * data.cell];
  }

  function put(move, color) {
    if (shapes.has(move)) shapes.get(move).remove();
    shapes.delete(move);
    now[move] = color;
    if (!color) return;
    const [x, y] = xy(move);
    const stone = circle(x, y, data.radius, data.fill[color], data.rim[color], data.edge);
    shapes.set(move, stone);
    stones.append(stone);
  }

  function vertex(move) {
    if (move === data.rows * data.columns) return figure.dataset.pass;
    const row = Math.floor(move / data.columns);
    return data.letters[move % data.columns] + (data.rows - row);
  }

  function words() {
    if (!ply) return figure.dataset.start;
    const [color, move] = data.steps[ply - 1];
    const number = data.numbers ? data.numbers[ply - 1] : ply;
    const count = figure.dataset.move
      .replace("{number}", number).replace("{total}", data.total || data.steps.length);
    const side = color === 1 ? figure.dataset.black : figure.dataset.white;
    return count + " · " + side + " " + vertex(move);
  }

  function show() {
    if (mark) mark.remove();
    mark = null;
    if (ply) {
      const move = data.steps[ply - 1][1];
      if (move < now.length && now[move]) {
        const [x, y] = xy(move);
        const color = data.mark[now[move]];
        mark = circle(x, y, data.radius / 2, "none", color, data.cell * 0.08);
        stones.append(mark);
      }
    }
    slider.value = ply;
    output.textContent = words();
    board.setAttribute("aria-label", words());
    note.textContent = data.notes.length ? data.notes[ply] : "";
    note.hidden = !data.notes.length;
    if (told) told(ply);
  }

  function go(target) {
    target = Math.max(0, Math.min(data.steps.length, target));
    for (; ply < target; ply++) {
      const step = data.steps[ply];
      for (let i = 2; i < step.length; i += 3) put(step[i], step[i + 2]);
    }
    for (; ply > target; ply--) {
      const step = data.steps[ply - 1];
      for (let i = 2; i < step.length; i += 3) put(step[i], step[i + 1]);
    }
    show();
  }

  const targets = {
    first: () => 0, back: () => ply - 1, next: () => ply + 1, last: () => data.steps.length,
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };
  for (const button of figure.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => go(targets[button.dataset.go]()));
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  figure.addEventListener("keydown", (event) => {
    if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!(event.key in keys)) return;
    event.preventDefault();
    go(targets[keys[event.key]]());
  });
  now.slice().forEach((color, move) => put(move, color));
  figure.querySelector(".still").replaceWith(board);
  figure.querySelector(".controls").hidden = false;
  go(data.at);
  return { go: go, at: () => ply };
}

// A list of games: search, choices, order, and a viewer of the game that is opened.
function Browser(root) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const games = data.games.map(([key, values, details, played, link], order) => ({
    key, values, details, played, link, order,
    text: data.search.map((c) => values[c]).join(" ").toLowerCase(),
  }));
  const places = data.columns.map(([, , , order]) => new Map(order.map((value, k) => [value, k])));
  const byKey = new Map(games.map((game) => [game.key, game]));
  const body = root.querySelector("tbody");
  const count = root.querySelector(".count");
  const more = root.querySelector(".more");
  const search = root.querySelector("input[type=search]");
  const panel = root.querySelector(".opened");
  const absent = root.querySelector(".absent");
  const STEP = 100;
  let shown = games;
  let drawn = 0;
  let sorted = { column: -1, up: true };
  let current = null;
  let viewer = null;

  // Values of an order of their own, such as ranks, go by it, those that it lacks before the others.
  function inOrder(column, x, y) {
    const place = places[column];
    return (place.get(x) ?? -1) - (place.get(y) ?? -1)
      || String(x).localeCompare(String(y), document.documentElement.lang, { numeric: true });
  }

  // Numbers stay numbers; an empty cell comes last whichever way the list is sorted.
  function compare(a, b) {
    const [x, y] = [a.values[sorted.column], b.values[sorted.column]];
    const [no, yes] = [x === null || x === "", y === null || y === ""];
    if (no || yes) return no - yes || a.order - b.order;
    const way = data.columns[sorted.column][1] === "number" ? x - y : inOrder(sorted.column, x, y);
    return (sorted.up ? way : -way) || a.order - b.order;
  }

  function cell(row, value, kind) {
    const td = document.createElement("td");
    if (kind === "number") td.className = "number";
    const text = String(value ?? "");
    if (kind === "path") {  // cut at its beginning by the style
      td.className = "path";
      const whole = document.createElement("bdi");
      whole.dir = "ltr";
      whole.textContent = text;
      td.append(whole);
    } else td.textContent = text;
    if (kind !== "number" && text.length > 9) td.title = text;
    row.append(td);
    return td;
  }

  function draw() {
    const rows = document.createDocumentFragment();
    for (const game of shown.slice(drawn, drawn + STEP)) {
      const row = document.createElement("tr");
      row.dataset.key = game.key;
      if (game === current) row.setAttribute("aria-current", "true");
      game.values.forEach((value, c) => {
        const td = cell(row, c ? value : "", data.columns[c][1]);
        if (c || !(game.played || game.link)) { if (!c) td.textContent = value; return; }
        const button = document.createElement(game.link ? "a" : "button");
        if (game.link) button.href = game.link; else button.type = "button";
        button.textContent = value;
        td.append(button);
      });
      rows.append(row);
    }
    body.append(rows);
    drawn = Math.min(shown.length, drawn + STEP);
    more.hidden = drawn >= shown.length;
  }

  function update() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = Array.from(root.querySelectorAll("select"), (s) => [Number(s.dataset.column), s.value])
      .filter(([, value]) => value !== "");
    shown = games.filter((game) => words.every((word) => game.text.includes(word))
      && chosen.every(([c, value]) => String(game.values[c] ?? "") === value.slice(1)));
    if (sorted.column >= 0) shown = shown.slice().sort(compare);
    body.textContent = "";
    drawn = 0;
    draw();
    count.textContent = count.dataset.text
      .replace("{shown}", shown.length.toLocaleString("en")).replace("{all}", games.length.toLocaleString("en"));
  }

  function decode(played) {
    const [columns, rows] = played.s.split("x").map(Number);
    const cells = rows * columns;
    const now = new Array(cells).fill(0);
    const start = played.b || [];
    for (let i = 0; i < start.length; i += 2) now[start[i]] = start[i + 1];
    const first = now.join("");
    const steps = [];
    for (let k = 0; 2 * k < played.m.length; k++) {
      const pair = played.m.slice(2 * k, 2 * k + 2);
      const small = pair.toLowerCase();
      const color = pair === small ? 1 : 2;
      const move = small === "zz"
        ? cells : (small.charCodeAt(1) - 97) * columns + small.charCodeAt(0) - 97;
      const changes = (move < cells ? [move, color] : []).concat((played.x || {})[k] || []);
      const before = new Map();
      for (let i = 0; i < changes.length; i += 2) {
        if (!before.has(changes[i])) before.set(changes[i], now[changes[i]]);
        now[changes[i]] = changes[i + 1];
      }
      const step = [color, move];
      for (const [point, old] of before) if (old !== now[point]) step.push(point, old, now[point]);
      steps.push(step);
    }
    return { rows, columns, start: first, steps };
  }

  function noteOf(mark) {
    if (mark === ".") return data.unmarked;
    const bits = mark.charCodeAt(0) - 48;
    return data.flags.filter((_, k) => bits >> k & 1).join(" · ");
  }

  function strip(figure, marks) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${marks.length} 10`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("class", "strip");
    svg.setAttribute("aria-hidden", "true");
    Array.from(marks).forEach((mark, k) => {
      if (mark === ".") return;
      const bar = document.createElementNS(SVG, "rect");
      const strong = (mark.charCodeAt(0) - 48) & data.notable;
      const values = { x: k, y: strong ? 0 : 6, width: 0.8, height: strong ? 10 : 4,
        class: strong ? "strong" : "weak" };
      for (const name in values) bar.setAttribute(name, values[name]);
      svg.append(bar);
    });
    const here = document.createElementNS(SVG, "rect");
    here.setAttribute("class", "here");
    here.setAttribute("height", 10);
    here.setAttribute("width", Math.max(1, marks.length / 150));
    svg.append(here);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      viewer.go(1 + Math.floor((event.clientX - box.left) / box.width * marks.length));
    });
    figure.querySelector(".controls").before(svg);
    return (ply) => {
      here.setAttribute("x", Math.max(0, ply - 1));
      here.setAttribute("visibility", ply ? "visible" : "hidden");
    };
  }

  function facts(game) {
    const list = panel.querySelector("dl");
    list.textContent = "";
    const pairs = game.details.map((text, k) => [data.details[k], text]);
    for (const [name, text] of pairs) {
      if (!text) continue;
      const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
      dt.textContent = name;
      dd.textContent = text;
      list.append(dt, dd);
    }
  }

  // quiet: the reader did not ask for this game, so that neither focus nor address go to it.
  function open(game, number, quiet) {
    if (game.link) { location.href = game.link; return; }
    if (!game.played) return;
    current = game;
    absent.hidden = true;
    for (const row of body.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    const row = body.querySelector(`[data-key="${game.key}"]`);
    if (row) row.setAttribute("aria-current", "true");
    const figure = root.querySelector("template.viewer").content.firstElementChild.cloneNode(true);
    const board = root.querySelector(`template[data-size="${game.played.s}"]`);
    const marks = game.played.f || "";
    const numbers = game.played.n;
    const held = Object.assign(decode(game.played), data.board, {
      notes: marks ? [""].concat(Array.from(marks, noteOf)) : [], numbers: numbers,
      total: numbers && numbers[numbers.length - 1],
      at: number === undefined ? data.opens_at : numbers ? numbers.filter((n) => n <= number).length : number,
    });
    panel.querySelector(".place").replaceChildren(figure);
    panel.hidden = false;
    facts(game);
    figure.querySelector("input").max = held.steps.length;
    const told = marks ? strip(figure, marks) : null;
    viewer = Viewer(figure, held, board.content.firstElementChild.cloneNode(true), (ply) => {
      if (told) told(ply);
      const at = ply ? (numbers ? numbers[ply - 1] : ply) : 0;
      figure.dataset.at = at;
    });
    for (const button of figure.querySelectorAll("[data-notable]")) {
      button.hidden = !Array.from(marks).some(isNotable);
      button.addEventListener("click", () => {
        const way = Number(button.dataset.notable);
        for (let k = viewer.at() + way; k > 0 && k <= marks.length; k += way) {
          if (isNotable(marks[k - 1])) { viewer.go(k); return; }
        }
      });
    }
    for (const button of figure.querySelectorAll("[data-stop]")) {
      const stop = Number(button.dataset.stop);
      button.hidden = stop > held.steps.length;
      button.addEventListener("click", () => viewer.go(stop));
    }
    if (quiet) return;
    panel.scrollIntoView({ block: "nearest" });
    figure.focus({ preventScroll: true });
    const link = "#" + game.key + (number === undefined ? "" : ":" + number);
    if (location.hash !== link) history.replaceState(null, "", link);
  }

  function isNotable(mark) {
    return mark !== "." && ((mark.charCodeAt(0) - 48) & data.notable) !== 0;
  }

  function follow() {
    const match = /^#(\d+)(?::(\d+))?$/.exec(location.hash);
    const game = match && byKey.get(Number(match[1]));
    absent.hidden = !match || Boolean(game);
    if (game) open(game, match[2] === undefined ? undefined : Number(match[2]));
    else if (match) absent.textContent = absent.dataset.text.replace("{game}", match[1]);
  }

  function choices() {
    for (const select of root.querySelectorAll("select")) {
      const c = Number(select.dataset.column);
      const values = Array.from(new Set(games.map((game) => String(game.values[c] ?? ""))));
      values.sort((a, b) => inOrder(c, a, b));
      for (const value of values) select.append(new Option(value || "–", "=" + value));
      select.addEventListener("change", update);
    }
  }

  root.querySelectorAll("th button").forEach((button) => {
    const column = Number(button.dataset.column);
    button.addEventListener("click", () => {
      sorted = { column, up: sorted.column !== column || !sorted.up };
      root.querySelectorAll("th").forEach((th, c) => {
        if (c === column) th.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
        else th.removeAttribute("aria-sort");
      });
      update();
    });
  });
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row && !event.target.closest("a")) open(byKey.get(Number(row.dataset.key)));
  });
  panel.querySelectorAll("[data-game]").forEach((button) => {
    button.addEventListener("click", () => {
      const next = shown[shown.indexOf(current) + Number(button.dataset.game)];
      if (next) open(next);
    });
  });
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  more.addEventListener("click", draw);
  const list = root.querySelector(".list");
  list.addEventListener("scroll", () => {
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 400 && !more.hidden) draw();
  });
  choices();
  root.querySelector(".live").hidden = false;
  update();
  follow();
  if (!current && data.opens_first && games.length) open(games[0], undefined, true);
  window.addEventListener("hashchange", follow);
  // Arrow keys reach the board also where nothing on the page has the focus.
  document.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || !viewer || event.target !== document.body) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.go(viewer.at() + way);
  });
}

document.querySelectorAll("main .browser").forEach(Browser);

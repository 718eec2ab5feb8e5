"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const make = (tag, text, name) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
};

// What is shown: the stage, the stage that it is compared with, and which of the two is drawn; then the picture and its parts.
const shown = { stage: data.stages.findIndex((s) => s.name === "optimised"), since: null, isBefore: false };
const shut = new Set();
let nodes = [], clusters = [], edges = [], lines = new Map();

function show() {
  const stage = data.stages[shown.stage];
  const change = data.changes.find((c) => c.to === shown.stage && c.since === shown.since);
  for (const button of $("stages").children) button.setAttribute("aria-pressed", String(button.textContent === stage.name));
  $("since").replaceChildren(new Option("nothing", ""));
  for (const c of data.changes) if (c.to === shown.stage) $("since").add(new Option(data.stages[c.since].name, c.since));
  $("since").value = change ? String(shown.since) : "";
  $("about").textContent = change ? `${data.stages[change.since].name} → ${stage.name}` : `${stage.name}: ${stage.about}`;
  $("side").hidden = !change;
  const isBefore = Boolean(change) && shown.isBefore;
  draw((isBefore ? data.stages[change.since] : stage).drawn);
  if (change) {
    $("side").textContent = isBefore ? `${data.stages[change.since].name}, removed red` : `${stage.name}, added green`;
    for (const i of isBefore ? change.removed : change.added) nodes[i]?.classList.add(isBefore ? "removed" : "added");
  }
  write(change ? difference(data.stages[change.since].text, stage.text) : stage.text.split("\n").map((text) => [text, ""]));
  search();
}

// The picture.

function draw(drawn) {
  shown.drawn = drawn;
  shut.clear();
  nodes = clusters = edges = [];
  shown.svg = null;
  if (!drawn) {
    $("picture").replaceChildren(make("p", "The graph is too large to be laid out here: its text is beside it."));
    return;
  }
  $("picture").innerHTML = drawn.svg;
  const svg = (shown.svg = $("picture").firstElementChild);
  const box = svg.viewBox.baseVal;
  shown.all = [box.x, box.y, box.width, box.height];
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  [nodes, clusters, edges] = ["node", "cluster", "edge"].map((name) => [...svg.querySelectorAll(`g.${name}`)]);
  nodes.forEach((group, i) => {
    group.addEventListener("mouseenter", (event) => point(i, event));
    group.addEventListener("mouseleave", leave);
  });
  clusters.forEach((group, i) => group.addEventListener("click", () => moved || fold(i)));
}

// Whether a cluster lies in one that is shut.
const isHidden = (i) => {
  for (let up = shown.drawn.clusters[i]; up !== null; up = shown.drawn.clusters[up]) if (shut.has(up)) return true;
  return false;
};

function fold(i) {
  if (shut.has(i)) shut.delete(i);
  else shut.add(i);
  folded();
}

function folded() {
  const isGone = (cluster) => shut.has(cluster) || isHidden(cluster);
  clusters.forEach((group, i) => {
    group.classList.toggle("shut", shut.has(i));
    group.classList.toggle("folded", isHidden(i));
    const count = shown.drawn.nodes.filter((n) => within(n.cluster, i)).length;
    const heading = group.querySelector("text");
    if (!heading) return;
    heading.dataset.name ??= heading.textContent;
    heading.textContent = heading.dataset.name + (shut.has(i) ? ` (${count} nodes)` : "");
  });
  nodes.forEach((group, i) => group.classList.toggle("folded", isGone(shown.drawn.nodes[i].cluster)));
  edges.forEach((group, i) => {
    const [from, to, fromBorder, toBorder] = shown.drawn.edges[i];
    const isOut = (border, node) => (border === null ? isGone(shown.drawn.nodes[node].cluster) : isHidden(border));
    group.classList.toggle("folded", isOut(fromBorder, from) || isOut(toBorder, to));
  });
}

const within = (inner, outer) => {
  for (let up = inner; up !== null; up = shown.drawn.clusters[up]) if (up === outer) return true;
  return false;
};

function foldAll() {
  if (!shown.drawn) return;
  const open = clusters.some((_, i) => !shut.has(i));
  shut.clear();
  if (open) clusters.forEach((_, i) => shut.add(i));
  folded();
}

// Moving and zooming: the part of the picture that is seen.

const view = () => shown.svg.viewBox.baseVal;
const look = (x, y, width, height) => shown.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
const fit = () => shown.svg && look(...shown.all);

function zoom(by, x, y) {
  if (!shown.svg) return;
  const seen = view();
  const [atX, atY] = x === undefined ? [seen.x + seen.width / 2, seen.y + seen.height / 2] : place(x, y);
  look(atX - (atX - seen.x) / by, atY - (atY - seen.y) / by, seen.width / by, seen.height / by);
}

function place(x, y) {
  const at = new DOMPoint(x, y).matrixTransform(shown.svg.getScreenCTM().inverse());
  return [at.x, at.y];
}

function centre(group) {
  const box = group.getBBox(), seen = view();
  const scale = Math.min(1, 700 / Math.max(seen.width, 1));
  const [width, height] = [seen.width * scale, seen.height * scale];
  look(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2, width, height);
}

let moving = null, moved = false;
$("picture").addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX, event.clientY);
}, { passive: false });
$("picture").addEventListener("mousedown", (event) => {
  if (!shown.svg || event.button) return;
  moving = [event.clientX, event.clientY];
  moved = false;
});
addEventListener("mousemove", (event) => {
  if (!moving) return;
  const [from, to] = [place(...moving), place(event.clientX, event.clientY)];
  if (!moved && Math.hypot(event.clientX - moving[0], event.clientY - moving[1]) < 4) return;
  moved = true;
  $("picture").classList.add("moving");
  const seen = view();
  look(seen.x + from[0] - to[0], seen.y + from[1] - to[1], seen.width, seen.height);
  moving = [event.clientX, event.clientY];
});
addEventListener("mouseup", () => {
  moving = null;
  $("picture").classList.remove("moving");
});
$("picture").addEventListener("keydown", (event) => {
  const by = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
  if (by) zoom(by);
  if (event.key === "0") fit();
});

// The text of a stage, graph by graph.

function write(rows) {
  lines = new Map();
  const pane = make("div");
  let graph = pane;
  for (const [text, change] of rows) {
    if (/^(graph|block|library)\b/.test(text)) {
      graph = pane.appendChild(make("details"));
      graph.open = true;
      graph.appendChild(make("summary", text, change));
      continue;
    }
    const line = graph.appendChild(make("div", text, `line ${change}`));
    const key = text.trim();
    if (!lines.has(key)) lines.set(key, line);
    line.addEventListener("mouseenter", (event) => {
      const i = shown.drawn ? shown.drawn.nodes.findIndex((n) => n.text && n.text === key) : -1;
      if (i >= 0) point(i, event);
    });
    line.addEventListener("mouseleave", leave);
    if (text === "}") graph = pane;
  }
  $("text").replaceChildren(pane);
}

// The lines of two texts: those of a longest common subsequence once (Wagner and Fischer 1974), those that one text alone has marked.
function difference(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  if (a.length * b.length > 4e6) {
    const [inA, inB] = [new Set(a), new Set(b)];
    return [...a.filter((t) => !inB.has(t)).map((t) => [t, "removed"]), ...b.map((t) => [t, inA.has(t) ? "" : "added"])];
  }
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  const rows = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) rows.push([a[(j++, i++)], ""]);
    else if (j < b.length && (i === a.length || longest[i * width + j + 1] >= longest[(i + 1) * width + j])) rows.push([b[j++], "added"]);
    else rows.push([a[i++], "removed"]);
  }
  return rows;
}

// The source, and what a node has to do with it.

const sourceLines = data.sections.map((section) => {
  const rows = [];
  let at = 0;
  $("source").appendChild(make("div", section.file, "file"));
  section.text.replace(/\n$/, "").split("\n").forEach((text, i) => {
    const line = $("source").appendChild(make("div", undefined, "line"));
    line.append(make("span", String(section.line + i), "number"), make("span", text));
    const row = { at, text, line, number: section.line + i };
    rows.push(row);
    line.addEventListener("click", () => {
      forget();
      nodes.forEach((group, n) => {
        const at = shown.drawn.nodes[n].place;
        const isHere = at && data.sections[at[0]] === section && at[1] <= row.at + text.length && at[2] >= row.at;
        group.classList.toggle("on", Boolean(isHere));
      });
      line.classList.add("on");
    });
    at += text.length + 1;
  });
  return rows;
});

function forget() {
  for (const on of document.querySelectorAll(".on")) on.classList.remove("on");
  for (const rows of sourceLines) for (const row of rows) if (row.line.querySelector("mark")) row.line.lastChild.textContent = row.text;
}

function point(i, event) {
  forget();
  const node = shown.drawn.nodes[i];
  if (nodes[i]) nodes[i].classList.add("on");
  const line = lines.get(node.text);
  if (node.text && line) {
    line.classList.add("on");
    if (event.currentTarget !== line) line.scrollIntoView({ block: "nearest" });
  }
  $("tip").replaceChildren(make("div", node.text || (nodes[i] ? nodes[i].textContent.trim() : "")));
  if (node.place) {
    const [section, from, to] = node.place;
    const rows = sourceLines[section].filter((row) => row.at <= to && row.at + row.text.length >= from);
    rows.forEach((row, n) => {
      const [start, end] = [Math.max(from - row.at, 0), Math.min(to - row.at, row.text.length)];
      const text = row.line.lastChild;
      text.replaceChildren(row.text.slice(0, start), make("mark", row.text.slice(start, end)), row.text.slice(end));
      if (!n) row.line.scrollIntoView({ block: "nearest" });
    });
    if (rows.length) {
      $("tip").append(make("div", `${data.sections[section].file}:${rows[0].number}`, "at"), make("div", rows[0].text.trim()));
    }
  }
  $("tip").hidden = false;
  const { width, height } = $("tip").getBoundingClientRect();
  $("tip").style.left = `${Math.max(0, Math.min(event.clientX + 14, innerWidth - width - 4))}px`;
  $("tip").style.top = `${Math.max(0, Math.min(event.clientY + 14, innerHeight - height - 4))}px`;
}

function leave() {
  $("tip").hidden = true;
  forget();
}

// Search.

let hits = [], hit = 0;
function search() {
  const word = $("search").value.trim().toLowerCase();
  hits = [];
  nodes.forEach((group, i) => {
    const text = `${shown.drawn.nodes[i].text} ${group.textContent}`.toLowerCase();
    const isHit = word !== "" && text.includes(word);
    group.classList.toggle("found", isHit);
    if (isHit) hits.push(group);
  });
  if (shown.svg) shown.svg.classList.toggle("searched", word !== "");
  $("found").textContent = word ? `${hits.length} nodes` : "";
  hit = 0;
}
$("search").addEventListener("input", search);
$("search").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !hits.length) return;
  centre(hits[hit % hits.length]);
  $("found").textContent = `${(hit % hits.length) + 1} of ${hits.length}`;
  hit += 1;
});

document.querySelector("h1").textContent = data.title;
data.stages.forEach((stage, i) => {
  const button = $("stages").appendChild(make("button", stage.name));
  button.title = stage.about;
  button.addEventListener("click", () => {
    shown.stage = i;
    show();
  });
});
$("side").title = "draw the other stage";
$("side").addEventListener("click", () => {
  shown.isBefore = !shown.isBefore;
  show();
});
$("since").addEventListener("change", (event) => {
  shown.since = event.target.value === "" ? null : Number(event.target.value);
  show();
});
for (const button of document.querySelectorAll("#zoom button[data-by]")) {
  button.addEventListener("click", () => (Number(button.dataset.by) ? zoom(Number(button.dataset.by)) : fit()));
}
$("fold").addEventListener("click", foldAll);
const more = $("more").querySelector("div");
const milliseconds = data.passes.map(([name, seconds]) => `${name.padEnd(24)} ${(seconds * 1e3).toFixed(3)} ms`);
more.append(make("pre", data.decisions.join("\n")), make("pre", milliseconds.join("\n")));
show();

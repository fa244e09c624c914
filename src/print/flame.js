"use strict";
/* The script of pt export --svg. It draws the frames that can be seen from the list in #data, in
 * the width of the window, instead of the picture of those that are in the file.
 *
 * A frame: x, w: start and width, in units of the weight; d: depth; n: name; g: what is drawn. */
var svg = document.documentElement, NS = svg.namespaceURI;
var MARGIN = 10, ROW = 17, TOP = 58, LEAST = 0.3;
function get(id) { return document.getElementById(id); }
function make(what, parent, values) {
  var made = document.createElementNS(NS, what), key;
  for (key in values) made.setAttribute(key, values[key]);
  return parent.appendChild(made);
}
var lines = get("data").textContent.trim().split("\n"), head = lines[0].split(" ");
var unit = head[0], names = lines.slice(1, 1 + +head[1]);
var fs = lines.slice(1 + names.length).map(function (line) {
  var f = line.split(" ");
  return { d: +f[0], x: +f[1], w: +f[2], n: names[f[3]], g: null };
});
var to = fs[0], at = fs[0], pattern = null, width, scale, drawn = [];
var title = get("title"), words = title.textContent;
var glyph = title.getComputedTextLength() * 12 / 16 / words.length || 7.3;

function cut(text, room) {
  var n = Math.floor(room / glyph);
  return n < 3 ? "" : text.length <= n ? text : text.slice(0, n - 2) + "..";
}
function colour(name) {
  var hash = 0, i;
  for (i = 0; i < name.length; i++) hash = Math.imul(hash, 31) + name.charCodeAt(i) >>> 0;
  hash = (hash ^ hash >>> 15) >>> 0;
  if (name == "[gap]" || name == "[unknown]") return "#aaa";
  if (/._\[k\]$/.test(name)) return "hsl(" + (200 + hash % 30) + ",60%,70%)";
  return "hsl(" + (10 + hash % 45) + ",85%," + (62 + (hash >>> 8) % 14) + "%)";
}
function about(f) {
  var count = String(f.w).replace(/\B(?=(\d{3})+$)/g, ",");
  return f.n + " (" + count + " " + unit + ", " + (100 * f.w / fs[0].w).toFixed(2) + " %)";
}
function above(f) { return f.d < to.d && f.x <= to.x && f.x + f.w >= to.x + to.w; }
function inside(f) { return f.d >= to.d && f.x >= to.x && f.x + f.w <= to.x + to.w; }

/* The width is that of the window; on a phone, which shrinks what is wider, that of the screen. */
function draw() {
  var frames = get("frames"), page = svg.clientWidth || 1200, k, deepest = 0, height;
  width = Math.max(300, screen.width < 600 ? Math.min(page, screen.width) : page);
  scale = page / width;
  k = (width - 2 * MARGIN) / to.w;
  frames.textContent = "";
  drawn.forEach(function (f) { f.g = null; });
  drawn = fs.filter(function (f) { return above(f) || f.w * k >= LEAST && inside(f); });
  drawn.forEach(function (f) {
    var up = f.d < to.d, w = up ? width - 2 * MARGIN : f.w * k, y = TOP + f.d * ROW;
    var x = up ? MARGIN : MARGIN + (f.x - to.x) * k, text;
    deepest = Math.max(deepest, f.d);
    f.g = make("g", frames, { "class": up ? "f up" : "f" });
    f.g.f = f;
    make("rect", f.g, { x: x, y: y, width: w > 3 ? w - 0.7 : w, height: ROW - 1,
                        fill: colour(f.n) });
    text = cut(f.n, w - 6);
    if (text) make("text", f.g, { x: x + 3, y: y + 12 }).textContent = text;
  });
  height = TOP + (deepest + 1) * ROW + 12;
  svg.setAttribute("viewBox", "0 0 " + width + " " + height);
  svg.setAttribute("width", "100%");
  svg.setAttribute("height", height * scale);
  get("bar").setAttribute("width", width);
  get("search").setAttribute("x", width - MARGIN);
  get("found").setAttribute("x", width - MARGIN);
  get("reset").setAttribute("x", width - MARGIN - 12 * glyph);
  get("reset").style.display = to == fs[0] ? "none" : "";
  title.textContent = cut(words, (width - 2 * MARGIN - 22 * glyph) * 12 / 16);
  mark();
  tell(at);
  follow();
}
/* What was found, and the frame that keys move from. */
function mark() {
  drawn.forEach(function (f) {
    f.g.classList.toggle("hit", !!pattern && pattern.test(f.n));
    f.g.classList.toggle("at", f == at);
  });
}
function tell(f) {
  var found = get("found").textContent;
  get("details").textContent = cut(about(f), width - 3 * MARGIN - found.length * glyph);
}
/* The head stays in sight. */
function follow() {
  get("head").setAttribute("transform", "translate(0," + window.scrollY / scale + ")");
}
function zoom(f) {
  to = at = f;
  draw();
  window.scrollTo(0, Math.max(0, (f.d - 3) * ROW * scale));
}
function search(what) {
  var sum = 0, end = -1;
  try { pattern = what ? new RegExp(what) : null; }
  catch (e) { pattern = null; get("found").textContent = "no such pattern"; return; }
  fs.filter(function (f) { return pattern && pattern.test(f.n); })
    .sort(function (a, b) { return a.x - b.x || b.w - a.w; })
    .forEach(function (f) { if (f.x >= end) { sum += f.w; end = f.x + f.w; } });
  get("found").textContent = pattern ? "found: " + (100 * sum / fs[0].w).toFixed(2) + " %" : "";
  mark();
  tell(at);
}
function ask() {
  var what = prompt("Which functions? A regular expression; nothing: none");
  if (what !== null) search(what);
}
function near(ok) {
  return drawn.filter(ok).reduce(function (best, f) {
    return best && Math.abs(best.x - at.x) <= Math.abs(f.x - at.x) ? best : f;
  }, null);
}
function go(f) {
  var box;
  if (!f) return;
  at = f;
  mark();
  tell(f);
  box = f.g.getBoundingClientRect();
  if (box.top < TOP * scale) window.scrollBy(0, box.top - TOP * scale);
  else if (box.bottom > innerHeight) window.scrollBy(0, box.bottom - innerHeight);
}
function frame_of(event) {
  var g = event.target.parentNode;
  return g && g.f;
}
get("frames").onclick = function (e) { var f = frame_of(e); if (f) zoom(f); };
get("frames").onmouseover = function (e) {
  var f = frame_of(e);
  if (!f) return;
  tell(f);
  if (!f.g.querySelector("title")) make("title", f.g, {}).textContent = about(f);
};
get("reset").onclick = function () { zoom(fs[0]); };
get("search").onclick = ask;
window.onscroll = follow;
window.onresize = draw;
window.onkeydown = function (e) {
  var k = e.key;
  function beside(way) {
    return function (f) { return f.d == at.d && way * (f.x - at.x) > 0; };
  }
  if (e.altKey || e.metaKey || (e.ctrlKey && k != "f")) return;
  if (k == "/" || k == "f" && e.ctrlKey) ask();
  else if (k == "Escape") { search(""); zoom(fs[0]); }
  else if (k == "Enter") zoom(at);
  else if (k == "ArrowDown")
    go(near(function (f) { return f.d == at.d + 1 && f.x >= at.x && f.x < at.x + at.w; }));
  else if (k == "ArrowUp")
    go(near(function (f) {
      return f.d == at.d - 1 && f.x <= at.x && f.x + f.w >= at.x + at.w;
    }));
  else if (k == "ArrowLeft") go(near(beside(-1)));
  else if (k == "ArrowRight") go(near(beside(1)));
  else return;
  e.preventDefault();
};
draw();

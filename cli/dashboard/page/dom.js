import { extremes, thinned } from "./series.js";
import { amount, dayAndTime, labelOf, timeOfDay } from "./words.js";

/** Returns an element with attributes and children. Values become only text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns a button that copies the text before it, and says so for a moment. */
export function copyButton(what) {
  const copy = element("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
  copy.onclick = async () => {
    await navigator.clipboard.writeText(copy.previousElementSibling.textContent);
    setText(copy, "Copied");
    setTimeout(() => setText(copy, "Copy"), 1500);
  };
  return copy;
}

export const byId = (id) => document.getElementById(id);

/** Sets only values that differ, so the browser does no layout and a screen reader sees no change. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node, name, value) {
  if (value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Shows a command, which is broken into lines only between an option and the next one. */
export function setCommand(node, command) {
  if (node.textContent === command) return;
  const words = command.match(/--\S+ (?!--)\S+|\S+/g) ?? [];
  node.replaceChildren(...words.flatMap((word, index) => [index === 0 ? "" : " ", element("span", {}, word)]));
}

/** Replaces the children by those of the items, in order. A node stays with its key, and keeps the focus in it. */
export function sync(parent, items, keyOf, make, update) {
  const nodes = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const keys = new Set(items.map(keyOf));
  for (const [key, node] of nodes) if (!keys.has(key)) node.remove();
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let node = nodes.get(key);
    if (!node) {
      node = make(item);
      node.dataset.key = key;
      nodes.set(key, node);
    }
    update(node, item);
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
}

const width = 320;
const height = 84;
/** Above the line, for the highest value. */
const headroom = 14;

function drawn(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

function axisValue(value, y) {
  const made = drawn("text", { x: 2, y });
  made.textContent = amount(value);
  return made;
}

/** Returns a plot of a line over time with a text of its values, also for screen readers. */
export function plotOf({ name, unit, points }) {
  const known = points.filter(([, value]) => value !== undefined);
  const [[first], [last, latest]] = [known[0], known.at(-1)];
  const { lowest, highest } = extremes(known);
  const [least, most] = [lowest[1], highest[1]];
  const floor = Math.min(0, least);
  const x = (ms) => (last === first ? width : ((ms - first) / (last - first)) * width);
  const y = (value) => height - ((value - floor) / (most - floor || 1)) * (height - headroom - 2) - 2;
  const line = thinned(known, 4 * width)
    .map(([ms, value]) => `${x(ms).toFixed(1)},${y(value).toFixed(1)}`)
    .join(" ");

  const label = labelOf(name);
  const title = unit === undefined || label.toLowerCase().includes(unit) ? label : `${label} (${unit})`;
  const said = `last ${amount(latest)}, min ${amount(least)}, max ${amount(most)}`;
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${said}` });
  svg.append(
    drawn("polygon", { points: `0,${height} ${line} ${width},${height}`, class: "area" }),
    drawn("polyline", { points: line, class: "line" }),
    axisValue(most, headroom - 3),
    axisValue(floor, height - 2),
  );
  const time = last - first < 86_000_000 ? timeOfDay : dayAndTime;
  const spanned = `${time(first)} to ${time(last)}`;
  return element(
    "figure",
    {},
    element("figcaption", {}, element("strong", {}, title), element("span", {}, said)),
    svg,
    element("p", { class: "soft" }, spanned),
  );
}

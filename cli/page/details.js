import { keyOf } from "./changes.js";
import { byId, element, setText, sync } from "./dom.js";
import { plotOf } from "./plot.js";
import { problemOf } from "./problems.js";
import { seriesIn } from "./series.js";
import { connectionWord, labelOf, span } from "./words.js";

const windows = { tunnel: ["30m", "1h", "1d", "7d"], share: ["15m", "1h", "1d"] };

/** The details and metrics of the selection, by key and window. Lists do not hold them. */
let read = {};

/** Returns the kind and the entry that the page's address names; undefined if the entry does not exist. */
export function selectedIn({ tunnels = [], shares = [] }, hash) {
  const key = decodeURIComponent(hash.slice(1));
  const kind = key.startsWith("tunnel/") ? "tunnel" : "share";
  const entry = (kind === "tunnel" ? tunnels : shares).find((each) => keyOf(kind, each) === key);
  return entry && { kind, key, entry };
}

/** Shows the selection. Reads its details if the selection or its status has changed. */
export function showDetails(selected, state, changes) {
  const panel = byId("details");
  const isOpened = selected !== undefined && (panel.hidden || read.key !== selected.key);
  panel.hidden = selected === undefined;
  if (!selected) {
    read = {};
    return;
  }
  const { kind, key, entry } = selected;
  if (isOpened) {
    read = { key };
    byId("window").replaceChildren(...windows[kind].map((each) => element("option", {}, each)));
    byId("window").value = "1h";
    void showMetrics(selected);
  }
  if (read.status !== entry.status) {
    read.status = entry.status;
    if (kind === "tunnel") void readTunnel(selected);
  }
  setText(byId("history-title"), `Changes of this ${kind}`);
  setText(byId("details-title"), `${kind === "tunnel" ? "Tunnel" : "Share"} ${entry.name}`);
  read.show = () => showFields(selected, state.connections?.[key]);
  read.show();
  showChanges(
    byId("history"),
    changes.filter((each) => each.key === key),
  );
  if (isOpened) byId("details-title").focus({ preventScroll: true });
}

function showFields({ kind, entry }, connection) {
  showRemedy(byId("remedy"), problemOf(kind, entry, connection));
  const checked = connection && `${span(Date.now() - connection.atMs)} ago`;
  showList(byId("fields"), {
    ...read.tunnel,
    ...entry,
    connection: connectionWord(connection),
    connectionState: connection?.state,
    connectionMessage: connection?.trouble ?? connection?.statusMessage,
    lastRead: checked,
  });
  byId("configuration").hidden = read.config === undefined;
  showList(byId("config"), read.config ?? {});
}

/** Shows what to do about a problem. */
function showRemedy(node, problem) {
  node.hidden = problem === undefined;
  if (!problem) return;
  const [word, remedy, explain] = node.children;
  setText(word, problem.word);
  setText(remedy, problem.remedy);
  setText(explain, problem.explain);
}

/** Shows the fields that have a value, by name. */
function showList(list, values) {
  const rows = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const make = ([name]) => {
    const copy = element("button", { type: "button", "aria-label": `Copy ${labelOf(name)}` }, "Copy");
    copy.onclick = () => void copyText(copy);
    return element("div", {}, element("dt", { title: name }, labelOf(name)), element("dd", {}, element("span"), copy));
  };
  const update = (node, [, value]) => {
    setText(node.querySelector("span"), Array.isArray(value) ? value.join(", ") : String(value));
  };
  sync(list, rows, ([name]) => name, make, update);
}

/** Copies the text beside the button, and says so for a moment. */
async function copyText(button) {
  await navigator.clipboard.writeText(button.previousElementSibling.textContent);
  setText(button, "Copied");
  setTimeout(() => setText(button, "Copy"), 1500);
}

const pathOf = ({ kind, entry }) => {
  const [frontdoorId, id] = [entry.frontdoorId, entry.id].map(encodeURIComponent);
  return `api/${frontdoorId}/${kind}s/${id}`;
};

async function readTunnel(selected) {
  const { body } = await ask(pathOf(selected));
  // Another one may have been selected meanwhile.
  if (read.key !== selected.key || !body) return;
  read.tunnel = body.tunnel;
  const { status: _status, statusMessage: _message, ...config } = body.connection?.tunnels?.[0] ?? {};
  read.config = body.connection && config;
  read.show();
}

/** Returns plots of the series in the metrics; the body as it is if there are none. */
export async function showMetrics(selected) {
  const plots = byId("plots");
  setText(plots, "Reading …");
  const asked = (read.asked = {});
  const { body, trouble } = await ask(`${pathOf(selected)}/metrics?window=${byId("window").value}`);
  if (read.asked !== asked) return;
  const found = trouble === undefined ? seriesIn(body) : [];
  if (found.length > 0) plots.replaceChildren(...found.map(plotOf));
  else if (trouble !== undefined) setText(plots, trouble);
  else plots.replaceChildren(element("pre", { tabindex: "0" }, JSON.stringify(body, undefined, 2)));
}

async function ask(path) {
  try {
    const answer = await fetch(path);
    const body = await answer.json();
    return answer.ok ? { body } : { trouble: body.message };
  } catch {
    return { trouble: "The dashboard does not answer." };
  }
}

/** Shows one line per change, the last one first. */
export function showChanges(list, changes) {
  const make = ({ time, kind, name, text, key }) =>
    element(
      "li",
      {},
      element("time", {}, time),
      " ",
      element("a", { href: `#${key}` }, name),
      element("span", { class: "soft" }, ` ${kind} `),
      text,
    );
  sync(
    list,
    changes,
    ({ number }) => String(number),
    make,
    () => undefined,
  );
}

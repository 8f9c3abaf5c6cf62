import { changesBetween, connectionChanges } from "./changes.js";
import { selectedIn, showChanges, showDetails, showMetrics } from "./details.js";
import { byId, element, setAttribute, setText, sync } from "./dom.js";
import { showLog, showSwitches, startSwitches } from "./emulator.js";
import { problemsOf } from "./problems.js";
import { moveByKeys, resetToggles, showTopology } from "./topology.js";
import { amount, connectionWord, plural, span, timeOfDay } from "./words.js";

const changesKept = 200;
/** The time after which a hidden page stops its requests. */
const hiddenMs = 60_000;

/** The parts that the server has sent. */
const state = {};
/** The changes, the last one first. */
let changes = [];
/** The time at which this page got the last successful poll. */
let heardMs = 0;
/** The failures to connect since the last event. */
let failures = 0;
let changeNumber = 0;
const wanted = { text: "", statuses: new Set() };

function take(part) {
  const before = { ...state };
  Object.assign(state, part);
  failures = 0;
  const now = Date.now();
  if (part.look && part.look.trouble === undefined) heardMs = now;
  const found = [
    ...(before.tunnels && part.tunnels ? changesBetween("tunnel", before.tunnels, part.tunnels) : []),
    ...(before.shares && part.shares ? changesBetween("share", before.shares, part.shares) : []),
    ...(before.connections && part.connections ? connectionsChanged(before.connections, part.connections) : []),
  ].map((change) => ({ ...change, time: timeOfDay(now), number: (changeNumber += 1) }));
  if (found.length > 0) {
    changes = [...found.reverse(), ...changes].slice(0, changesKept);
    const [{ name, text }] = found;
    setText(byId("announced"), found.length === 1 ? `${name}: ${text}` : `${found.length} changes`);
  }
  requestShow();
}

function connectionsChanged(before, after) {
  const names = new Map(
    (state.tunnels ?? []).map((tunnel) => [`tunnel/${tunnel.frontdoorId}/${tunnel.id}`, tunnel.name]),
  );
  return connectionChanges(before, after, connectionWord).map((change) => ({
    ...change,
    name: names.get(change.key) ?? change.key,
  }));
}

const isWanted = (entry) =>
  (wanted.statuses.size === 0 || wanted.statuses.has(entry.status)) &&
  (wanted.text === "" ||
    [entry.name, entry.ingressPort, entry.target, entry.id, entry.locationId, entry.peerPublicIp].some((value) =>
      String(value ?? "")
        .toLowerCase()
        .includes(wanted.text),
    ));

let isRequested = false;
/** Redraws the page at most once per frame, for any number of events. A hidden page is not redrawn. */
function requestShow() {
  if (isRequested) return;
  isRequested = true;
  requestAnimationFrame(() => {
    isRequested = false;
    show();
  });
}

function show() {
  const selected = selectedIn(state, location.hash);
  const isFiltered = wanted.text !== "" || wanted.statuses.size > 0;
  showTopology(state, { isWanted, isFiltered }, selected?.key, requestShow);
  showProblems();
  showDetails(selected, state, changes);
  showStatuses();
  showChanges(byId("changes"), changes);
  byId("unchanged").hidden = changes.length > 0;
  showSwitches(state.switches);
  showLog(state.requests);
  const { title, address } = state.about ?? { title: "Front door", address: "" };
  setText(byId("title"), title);
  setText(byId("address"), address);
  document.title = title;
  showLook();
}

const linksShown = 3;

/** Shows each problem once, with links to tunnels and shares that have it, and with its remedy. */
function showProblems() {
  const make = ({ remedy, explain }) => {
    const text = element("span", { class: "remedy" }, `${remedy} `, element("code", {}, explain));
    return element(
      "li",
      { class: "problem" },
      element("strong"),
      element("span", { class: "links" }),
      element("span"),
      text,
    );
  };
  const update = (node, { word, thing, entries }) => {
    const [count, links, more] = node.children;
    setText(count, `${plural(entries.length, thing)} ${word}`);
    sync(
      links,
      entries.slice(0, linksShown),
      ({ key }) => key,
      ({ key }) => element("a", { href: `#${key}` }),
      (link, { name }) => setText(link, name),
    );
    setText(more, entries.length > linksShown ? `and ${amount(entries.length - linksShown)} more` : "");
  };
  sync(byId("problems"), problemsOf(state), ({ explain }) => explain, make, update);
}

/** Shows the number of entries of each status, as buttons that filter by the status. */
function showStatuses() {
  const all = [...(state.tunnels ?? []), ...(state.shares ?? [])];
  const counts = [...Map.groupBy(all, ({ status }) => status)].map(([status, those]) => [status, those.length]);
  for (const status of wanted.statuses) if (!counts.some(([each]) => each === status)) counts.push([status, 0]);
  const make = ([status]) => {
    const button = element("button", { type: "button", class: "status", "data-status": status });
    button.onclick = () => {
      if (!wanted.statuses.delete(status)) wanted.statuses.add(status);
      resetToggles();
      show();
    };
    return button;
  };
  sync(
    byId("statuses"),
    counts.sort(),
    ([status]) => status,
    make,
    (node, [status, count]) => {
      setText(node, `${status} ${amount(count)}`);
      setAttribute(node, "aria-pressed", String(wanted.statuses.has(status)));
    },
  );
}

let source;

function showLook() {
  const { trouble: failure, seenMs } = state.look ?? {};
  const program = state.requests ? "emulator" : "dashboard";
  // The browser connects again after one second. A second failure shows that the process has ended.
  const isEnded = (source?.readyState === EventSource.CLOSED && !document.hidden) || failures > 1;
  const text = isEnded
    ? `The ${program} has ended, and this page shows the last state. Run frontdoor ${program} again, and open the address that it prints.`
    : failure && `The dashboard cannot read the service, and tries again every 3 seconds. ${failure}`;
  const trouble = byId("trouble");
  trouble.hidden = text === undefined;
  if (text !== undefined) setText(trouble, text);
  if (!state.look && !isEnded) return;
  const isLive = !isEnded && failure === undefined && Date.now() - heardMs < 10_000;
  setText(byId("look"), isLive ? "Live" : seenMs ? `Last seen ${span(Date.now() - seenMs)} ago` : "Not read yet");
  setAttribute(byId("look"), "data-live", String(isLive));
}

function connect() {
  failures = 0;
  source = new EventSource("api/events");
  source.onmessage = ({ data }) => take(JSON.parse(data));
  source.onerror = () => {
    failures += 1;
    requestShow();
  };
}

let hidden;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hidden);
  if (document.hidden) hidden = setTimeout(() => source.close(), hiddenMs);
  else if (source.readyState === EventSource.CLOSED) connect();
});

byId("filter").addEventListener("input", ({ target }) => {
  wanted.text = target.value.trim().toLowerCase();
  resetToggles();
  show();
});
for (const form of document.forms) form.addEventListener("submit", (event) => event.preventDefault());
byId("tree").addEventListener("keydown", moveByKeys);

/** Closes the details and returns the focus to the element that opened them. */
function close() {
  const link = document.querySelector('#tree [aria-current="true"]');
  history.replaceState(undefined, "", location.pathname);
  show();
  link?.focus();
}
byId("close").addEventListener("click", close);
addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && !byId("details").hidden) close();
});
addEventListener("hashchange", show);
const again = () => {
  const selected = selectedIn(state, location.hash);
  if (selected) void showMetrics(selected);
};
byId("window").addEventListener("change", again);
byId("refresh").addEventListener("click", again);

startSwitches(requestShow);
setInterval(showLook, 1000);
connect();

import { selectedIn, showChanges, showDetails, showMetrics } from "./details.js";
import { byId, copyButton, element, setAttribute, setCommand, setText, sync } from "./dom.js";
import { showLog, showSwitches, startSwitches } from "./emulator.js";
import { moveByKeys, resetToggles, showTopology } from "./topology.js";
import {
  amount,
  changesBetween,
  commandOf,
  connectionChanges,
  isDown,
  isRecent,
  keyOf,
  namesOf,
  plural,
  problemsOf,
  readConnections,
  span,
  timeOfDay,
} from "./words.js";

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
/** The names that the tree shows, and those elsewhere, by key. */
let names = new Map();
let outside = new Map();

/** The filter, which is also in the page's address. */
const given = new URLSearchParams(location.search);
const wanted = {
  text: (given.get("filter") ?? "").toLowerCase(),
  statuses: new Set((given.get("status") ?? "").split(",").filter(Boolean)),
};
byId("filter").value = given.get("filter") ?? "";

/** Puts the filter and the selection into the address. */
function setAddress(hash = location.hash) {
  const query = new URLSearchParams();
  const text = byId("filter").value.trim();
  if (text !== "") query.set("filter", text);
  if (wanted.statuses.size > 0) query.set("status", [...wanted.statuses].join(","));
  const search = query.size === 0 ? "" : `?${String(query).replaceAll("%2C", ",")}`;
  history.replaceState(undefined, "", `${location.pathname}${search}${hash}`);
}

function take(part) {
  const before = { ...state };
  Object.assign(state, part);
  if (part.tunnels || part.shares) ({ names, outside } = namesOf(state));
  failures = 0;
  const now = Date.now();
  if (part.poll && part.poll.trouble === undefined) heardMs = now;
  const found = [
    ...(before.tunnels && part.tunnels ? changesBetween("tunnel", before.tunnels, part.tunnels) : []),
    ...(before.shares && part.shares ? changesBetween("share", before.shares, part.shares) : []),
    ...(before.connections && part.connections ? connectionsChanged(before.connections, part.connections) : []),
  ].map((change) => ({ ...change, time: timeOfDay(now), number: (changeNumber += 1) }));
  if (found.length > 0) {
    changes = [...found.reverse(), ...changes].slice(0, changesKept);
    const [{ key, name, text }] = found;
    setText(byId("announced"), found.length === 1 ? `${outside.get(key) ?? name}: ${text}` : `${found.length} changes`);
  }
  requestShow();
}

function connectionsChanged(before, after) {
  const byKey = new Map((state.tunnels ?? []).map((tunnel) => [keyOf("tunnel", tunnel), tunnel.name]));
  return connectionChanges(before, after).map((change) => ({ ...change, name: byKey.get(change.key) ?? change.key }));
}

/** True if the connection of a tunnel, or of a share's tunnel, is DOWN. */
const isEntryDown = ({ frontdoorId, id, ipsecTunnelId = id }) =>
  isDown(state.connections?.[keyOf("tunnel", { frontdoorId, id: ipsecTunnelId })]);

const isWanted = (entry) =>
  (wanted.statuses.size === 0 ||
    wanted.statuses.has(entry.status) ||
    (wanted.statuses.has("DOWN") && isEntryDown(entry))) &&
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
  showTopology(state, { isWanted, isFiltered }, names, selected?.key, requestShow);
  showProblems();
  showDetails(selected, state, changes, outside);
  showStatuses();
  showChanges(byId("changes"), changes, outside);
  byId("unchanged").hidden = changes.length > 0;
  showSwitches(state.switches);
  showLog(state.requests);
  const { title, address } = state.about ?? { title: "Front door", address: "" };
  setText(byId("title"), title);
  setText(byId("address"), address);
  document.title = title;
  showPoll();
}

const linksShown = 3;

/** Shows each problem once, with links to tunnels and shares that have it. Their details have the remedy. */
function showProblems() {
  const make = () =>
    element("li", { class: "problem" }, element("p", {}, element("strong"), " ", element("span")), element("ul"));
  const update = (node, { word, thing, entries }) => {
    const [head, links] = node.children;
    setText(head.firstElementChild, `${plural(entries.length, thing)} ${word}`);
    setText(head.lastElementChild, `· select ${entries.length === 1 ? "it" : "one"} to see what to do`);
    const more = { key: "", shown: `and ${amount(entries.length - linksShown)} more` };
    sync(
      links,
      [...entries.slice(0, linksShown), ...(entries.length > linksShown ? [more] : [])],
      ({ key }) => key,
      ({ key }) => {
        const name = key === "" ? element("button", { type: "button" }) : element("a", { href: `#${key}` });
        if (key === "") name.onclick = () => filterBy(new Set([word]));
        return element("li", {}, name, " ", element("span"));
      },
      ({ children: [name, why] }, { shown, reason = "" }) => {
        setText(name, shown);
        setText(why, reason);
      },
    );
  };
  sync(byId("problems"), problemsOf(state, outside), ({ word, thing }) => `${thing} ${word}`, make, update);
}

/** Shows only entries with these statuses. */
function filterBy(statuses) {
  wanted.statuses = statuses;
  setAddress();
  resetToggles();
  show();
}

/** By name, DELETED last. */
const byStatus = (a, b) => (a === "DELETED") - (b === "DELETED") || (a < b ? -1 : 1);

/** Shows the number of entries of each status, as buttons that filter by the status. */
function showStatuses() {
  const { tunnels = [], shares = [] } = state;
  const downs = tunnels.filter((tunnel) => tunnel.status === "DEPLOYED" && isEntryDown(tunnel));
  const statuses = new Set([...tunnels, ...shares].map(({ status }) => status).concat([...wanted.statuses]));
  if (downs.length > 0) statuses.add("DOWN");
  const count = (all, wanted, thing) => {
    const { length } = all.filter(({ status }) => status === wanted);
    return length === 0 ? [] : plural(length, thing);
  };
  const countsOf = (status) =>
    status === "DOWN"
      ? plural(downs.length, "tunnel")
      : [count(tunnels, status, "tunnel"), count(shares, status, "share")].flat().join(", ") || "0";
  const counts = [...statuses].sort(byStatus).map((status) => [status, countsOf(status)]);
  const make = ([status]) => {
    const button = element("button", { type: "button", class: "status", "data-status": status });
    button.onclick = () => {
      const statuses = new Set(wanted.statuses);
      if (!statuses.delete(status)) statuses.add(status);
      filterBy(statuses);
    };
    return button;
  };
  sync(
    byId("statuses"),
    counts,
    ([status]) => status,
    make,
    (node, [status, text]) => {
      setText(node, `${status} ${text}`);
      setAttribute(node, "aria-pressed", String(wanted.statuses.has(status)));
    },
  );
}

let source;

function showPoll() {
  const { trouble: failure, seenMs } = state.poll ?? {};
  const program = state.requests ? "emulator" : "dashboard";
  // The browser connects again after one second. A second failure shows that the process has ended.
  const isEnded = (source?.readyState === EventSource.CLOSED && !document.hidden) || failures > 1;
  const text = isEnded
    ? `The ${program} has ended. This is the last known state. Run the command again, and open the URL that it prints:`
    : failure &&
      `The dashboard cannot read Frontdoor, and tries again every 3 seconds. This is the last known state. ${failure}`;
  const trouble = byId("trouble");
  trouble.hidden = text === undefined;
  const [words, line] = trouble.children;
  if (text !== undefined) setText(words, text);
  line.hidden = !isEnded;
  setCommand(line.firstElementChild, againWith(program));
  if (!state.poll && !isEnded) return;
  const isLive = !isEnded && failure === undefined && isRecent(heardMs, state.poll);
  const { all, known } = readConnections(state);
  const live = known < all ? `Live · ${amount(known)} of ${plural(all, "connection")} read` : "Live";
  setText(byId("poll"), isLive ? live : seenMs ? `Last seen ${span(Date.now() - seenMs)} ago` : "Not read yet");
  setAttribute(byId("poll"), "data-live", String(isLive));
  setAttribute(document.body, "data-old", isLive || !seenMs ? undefined : "true");
}

/** Returns the command that starts the page's own command again. */
const againWith = (program) =>
  program === "emulator"
    ? `npx pulumi-frontdoor emulator --port ${location.port}`
    : commandOf(state.about, "dashboard");

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
  setAddress();
  resetToggles();
  show();
});
for (const form of document.forms) form.addEventListener("submit", (event) => event.preventDefault());
byId("tree").addEventListener("keydown", moveByKeys);

/** Closes the details and returns the focus to the element that opened them. */
function close() {
  const link = document.querySelector('#tree [aria-current="true"]');
  setAddress("");
  show();
  link?.focus();
}
byId("close").addEventListener("click", close);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !byId("details").hidden) close();
  const isTyping = event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key !== "/" || isTyping || byId("search").hidden) return;
  event.preventDefault();
  byId("filter").select();
});
for (const line of document.querySelectorAll(".command")) line.append(copyButton("command"));
addEventListener("hashchange", show);
const again = () => {
  const selected = selectedIn(state, location.hash);
  if (selected) void showMetrics(selected);
};
byId("window").addEventListener("change", again);
byId("refresh").addEventListener("click", again);

startSwitches(requestShow);
setInterval(showPoll, 1000);
connect();

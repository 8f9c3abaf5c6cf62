import { byId, element, setText, sync } from "./dom.js";
import { plural, timeOfDay } from "./words.js";

/** The faults for the emulator's admin endpoint, with their names on the page. */
const faults = {
  "a share that is created ends in ERROR": { fault: "fail", kind: "share", op: "create" },
  "a share that is updated ends in ERROR": { fault: "fail", kind: "share", op: "update" },
  "a tunnel that is created ends in ERROR": { fault: "fail", kind: "tunnel", op: "create" },
  "a share that is created stays NEW": { fault: "stick", kind: "share", op: "create" },
  "a share that is deleted stays DELETING": { fault: "stick", kind: "share", op: "delete" },
  "503 instead of a response": { fault: "answer", status: 503 },
  "429, again in 2 s": { fault: "answer", status: 429, headers: { "retry-after": "2" } },
  "401 instead of a response": {
    fault: "answer",
    status: 401,
    body: { error: "unauthorized", message: "Bearer token is missing or invalid" },
  },
  "the connection is cut before the work": { fault: "drop" },
  "the connection is cut after the work": { fault: "drop", when: "after" },
  "a gateway's page instead of a response": { fault: "html", status: 502 },
  "3 s pass first": { fault: "delay", delayMs: 3000 },
  "no more than 5 requests a second": { fault: "limit", perSecond: 5, retryAfter: "1" },
};
const wordsOf = (fault) =>
  Object.entries(faults).find(([, each]) =>
    Object.entries(each).every(([key, value]) => JSON.stringify(fault[key]) === JSON.stringify(value)),
  )?.[0] ?? JSON.stringify(fault);

/** Sends a change to the emulator, and shows the answer if the emulator refuses. */
async function change(method, path, body) {
  const answer = await fetch(`_admin/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const text = answer?.ok
    ? "Done"
    : ((await answer?.json().catch(() => undefined))?.message ?? "The emulator does not answer.");
  setText(byId("answered"), text);
}

export function startSwitches(requestShow) {
  byId("which").append(...Object.keys(faults).map((words) => element("option", {}, words)));
  byId("demo").addEventListener("click", () => void change("POST", "demo"));
  byId("down").addEventListener("change", ({ target }) => {
    void change("PATCH", "settings", { connectionStatus: target.checked ? "DOWN" : "UP" });
  });
  byId("fault").addEventListener("submit", () => {
    const fault = faults[byId("which").value];
    // A rate limit has no number of times: it stays until it is switched off.
    const times = fault.fault === "limit" ? {} : { times: Number(byId("times").value) };
    void change("POST", "faults", { ...fault, ...times });
  });
  for (const id of ["log-filter", "log-kind"]) byId(id).addEventListener("input", requestShow);
}

/** The last shown state. Until the emulator sends another one, a switch stays as the user left it. */
let shown;

export function showSwitches(switches) {
  byId("switches").hidden = switches === undefined;
  if (!switches || switches === shown) return;
  shown = switches;
  byId("down").checked = switches.connectionStatus === "DOWN";
  const make = ({ id, fault }) => {
    const off = element("button", { type: "button", "aria-label": `Switch off: ${wordsOf(fault)}` }, "Switch off");
    off.onclick = () => void change("DELETE", `faults/${id}`);
    return element("li", {}, element("span", {}, wordsOf(fault)), element("span", { class: "soft" }), off);
  };
  sync(
    byId("faults"),
    switches.faults,
    ({ id }) => String(id),
    make,
    (node, { left }) => {
      setText(node.querySelector(".soft"), left === null ? "until switched off" : `${left} left`);
    },
  );
}

const shows = {
  all: () => true,
  writes: ({ method }) => method !== "GET",
  refused: ({ status }) => status === 0 || status >= 400,
};

/** Shows the requests to the service, the last one first. */
export function showLog(requests) {
  byId("log").hidden = requests === undefined;
  if (!requests) return;
  const text = byId("log-filter").value.trim().toLowerCase();
  const isShown = shows[byId("log-kind").value];
  const shown = requests.filter((each) => isShown(each) && lineOf(each).toLowerCase().includes(text));
  setText(byId("log-count"), `${shown.length} of the last ${plural(requests.length, "request")}`);
  const make = (request) =>
    element(
      "li",
      {},
      element("time", {}, timeOfDay(request.at)),
      element("code"),
      element("span", { class: "answer" }),
    );
  sync(
    byId("requests"),
    shown.toReversed(),
    ({ number }) => String(number),
    make,
    (node, request) => {
      setText(node.querySelector("code"), askedOf(request));
      setText(node.querySelector(".answer"), answerOf(request));
      node.dataset.refused = String(shows.refused(request));
    },
  );
}

const askedOf = ({ method, path, query }) => `${method} ${path}${query && `?${query}`}`;
const answerOf = ({ status }) => (status === 0 ? "no response" : String(status));
const lineOf = (request) => `${askedOf(request)} ${answerOf(request)}`;

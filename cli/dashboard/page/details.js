import { byId, copyButton, element, plotOf, setAttribute, setCommand, setText, sync } from "./dom.js";
import { seriesIn } from "./series.js";
import { connectionWord, isDown, keyOf, labelOf, problemOf, sinceWords, span } from "./words.js";

const windows = { tunnel: ["30m", "1h", "1d", "7d"], share: ["15m", "1h", "1d"] };

/** The details and metrics of the selection, by key and window. Lists do not hold them. */
let read = {};

/** Returns the kind and the entry that the page's address names; undefined if the entry does not exist. */
export function selectedIn({ tunnels = [], shares = [] }, hash) {
  const key = decoded(hash.slice(1));
  const kind = key.startsWith("tunnel/") ? "tunnel" : "share";
  const entry = (kind === "tunnel" ? tunnels : shares).find((each) => keyOf(kind, each) === key);
  return entry && { kind, key, entry };
}

/** Returns the text as it is if its percent-encoding is invalid: the user can edit the address. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the selection. Reads its details if the selection or its status has changed. */
export function showDetails(selected, state, changes, names) {
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
    void readTunnel(selected);
  }
  setText(byId("history-title"), `Changes of this ${kind}`);
  setText(byId("details-title"), `${kind === "tunnel" ? "Tunnel" : "Share"} ${names.get(key) ?? entry.name}`);
  read.show = () => showFields(selected, state, names);
  read.show();
  showChanges(
    byId("history"),
    changes.filter((each) => each.key === key),
    names,
  );
  if (isOpened) byId("details-title").focus({ preventScroll: true });
}

function showFields({ kind, entry }, state, names) {
  const { tunnels = [], connections = {}, about } = state;
  const tunnelKey = tunnelKeyOf({ kind, entry });
  const tunnel = tunnels.find((each) => keyOf("tunnel", each) === tunnelKey);
  const connection = connections[tunnelKey];
  const shown = names.get(tunnelKey);
  const own = problemOf(kind, entry, connection, about);
  // A share does not work while its tunnel is DOWN.
  const ofTunnel = tunnel && problemOf("tunnel", tunnel, connection, about);
  showRemedy(byId("remedy"), own ?? (ofTunnel && { ...ofTunnel, word: `The tunnel is ${ofTunnel.word}` }));
  const ofConnection = {
    connection: connectionWord(connection),
    // The remedy has the rest.
    ...(!isDown(connection) && {
      connectionSince: sinceWords(connection)?.replace("since ", ""),
      connectionMessage: connection?.trouble ?? connection?.statusMessage,
    }),
  };
  const lastRead = connection && `${span(Date.now() - connection.atMs)} ago`;
  const { nlbDnsName, nlbPrivateIp } = { ...tunnel, ...read.tunnel };
  const host = nlbDnsName || nlbPrivateIp;
  showList(
    byId("fields"),
    kind === "tunnel"
      ? {
          ...ofConnection,
          lastRead,
          peerPublicIp: entry.peerPublicIp,
          peerCidr: entry.peerCidr,
          nlbDnsName,
          nlbPrivateIp,
          ...read.tunnel,
          ...entry,
          vpnConnectionState: connection?.state,
          vpnConfigurationNotRead: read.trouble,
        }
      : {
          endpoint: host && entry.ingressPort && `${host}:${entry.ingressPort}`,
          target: entry.target,
          tunnel: tunnel && { text: shown, href: `#${tunnelKey}` },
          ...ofConnection,
          lastRead,
          ...entry,
        },
  );
  byId("configuration").hidden = read.config === undefined;
  showList(byId("config"), read.config ?? {});
}

/** Shows what to do about a problem. */
function showRemedy(node, problem) {
  node.hidden = problem === undefined;
  if (!problem) return;
  const [word, reason, remedy, command] = node.children;
  setText(word, problem.word);
  setText(reason, problem.reason);
  setText(remedy, problem.remedy);
  setCommand(command.firstElementChild, problem.command);
}

/** The fields that people paste elsewhere: names, ids and addresses. */
const isCopied = (name) => /^(name|target|endpoint)$|(Id|Ip|Cidr|DnsName|IpAddress)$|^id$/.test(name);
/** The length from which a value gets the whole width. */
const longText = 22;

/** Shows the fields that have a value, by name. */
function showList(list, values) {
  const rows = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const make = ([name, value]) => {
    const text = element(value.href === undefined ? "span" : "a");
    const copy = isCopied(name) ? [copyButton(labelOf(name))] : [];
    return element("div", {}, element("dt", { title: name }, labelOf(name)), element("dd", {}, text, ...copy));
  };
  const update = (node, [name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : String(value.text ?? value);
    const shown = node.querySelector("dd").firstElementChild;
    setText(shown, text);
    if (value.href !== undefined) setAttribute(shown, "href", value.href);
    if (name === "connection") setAttribute(shown, "data-status", text);
    setAttribute(node, "class", text.length > longText ? "long" : undefined);
  };
  sync(list, rows, ([name]) => name, make, update);
}

/** Returns the key of the tunnel, or of a share's tunnel. */
const tunnelKeyOf = ({ kind, entry: { frontdoorId, id, ipsecTunnelId } }) =>
  keyOf("tunnel", { frontdoorId, id: kind === "tunnel" ? id : ipsecTunnelId });

const pathOf = ({ kind, entry }) => {
  const [frontdoorId, id] = [entry.frontdoorId, entry.id].map(encodeURIComponent);
  return `api/${frontdoorId}/${kind}s/${id}`;
};

async function readTunnel(selected) {
  const { kind, entry } = selected;
  const tunnel = kind === "tunnel" ? entry : { ...entry, id: entry.ipsecTunnelId };
  const answer = await ask(pathOf({ kind: "tunnel", entry: tunnel }));
  // Another one may have been selected meanwhile.
  if (read.key !== selected.key) return;
  read.tunnel = answer.body?.tunnel;
  if (kind === "tunnel") Object.assign(read, configurationIn(answer));
  read.show();
}

/** Returns the VPN configuration of a tunnel by label, or why it could not be read. A tunnel that is not DEPLOYED has neither. */
export function configurationIn({ body, trouble = body?.trouble }) {
  if (trouble !== undefined || !body.connection) return { config: undefined, trouble };
  const all = body.connection.tunnels;
  const shown = all.flatMap(({ status, statusMessage, ...config }, index) =>
    all.length === 1
      ? Object.entries(config)
      : Object.entries({ status, statusMessage, ...config }).map(([name, value]) => [
          `${labelOf(name)} ${index + 1}`,
          value,
        ]),
  );
  return { config: Object.fromEntries(shown), trouble };
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
export function showChanges(list, changes, names) {
  const make = ({ time, kind, name, text, key }) =>
    element(
      "li",
      {},
      element("time", {}, time),
      element(
        "span",
        {},
        " ",
        element("a", { href: `#${key}`, title: name }, names.get(key) ?? name),
        element("span", { class: "soft" }, ` ${kind} `),
        text,
      ),
    );
  sync(
    list,
    changes,
    ({ number }) => String(number),
    make,
    () => undefined,
  );
}

/** Returns a span of time in its largest unit: `12 s`, `3 min`, `2 h`. */
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Returns the local time of day, such as `14:03:12`. */
export const timeOfDay = (ms) => new Date(ms).toLocaleTimeString("en-GB");

/** Returns a number such as `1,234` or `0.12`, with at most three digits after the point. */
export const amount = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 3 });

export const plural = (count, thing) => `${amount(count)} ${thing}${count === 1 ? "" : "s"}`;

/** Words of field names with a spelling of their own. */
const spelled = {
  Id: "ID",
  Ip: "IP",
  Cidr: "CIDR",
  Nlb: "NLB",
  Dns: "DNS",
  Vpn: "VPN",
  Ike: "IKE",
  Dpd: "DPD",
  DH: "DH",
};
const labels = {
  connectionSince: "Since",
  connectionMessage: "Message",
  envZId: "Environment ID",
  ipsecTunnelId: "Tunnel ID",
  frontdoorId: "Front door ID",
};

/** Returns the label of a field: `Peer public IP` for `peerPublicIp`. Other texts stay as they are. */
export function labelOf(field) {
  if (!/^[a-z][A-Za-z0-9]*$/.test(field)) return field;
  const words = labels[field] ? [labels[field]] : field.match(/[A-Z]{2}(?=[A-Z]|$)|[A-Z]?[a-z]+|[A-Z]+|\d+/g);
  const label = words.map((word, index) => {
    const key = word[0].toUpperCase() + word.slice(1);
    return spelled[key] ?? (index === 0 ? key : word.toLowerCase());
  });
  return label.join(" ");
}

/** Returns the part that all names begin with, up to a separator. */
function commonPrefix(names) {
  if (names.length < 2) return "";
  const [first] = names;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length).replace(/[^-_.:/ ]*$/, "");
}

/** The end of a name that the provider or Pulumi has derived. */
const hash = /-[0-9a-f]{7,8}$/;

/** True if letters and digits alternate at the end, as in a hash and in no word or year. */
const isSurelyHashed = (name) => hash.test(name) && /[a-f]\d|\d[a-f]/.test(name.slice(-8));

/** Returns the common prefix after which each name begins with a letter: a number says little without the word before it. */
function prefixBeforeLetters(names) {
  let prefix = commonPrefix(names);
  while (prefix !== "" && !names.every((name) => /^\p{L}/u.test(name.slice(prefix.length))))
    prefix = prefix.slice(0, -1).replace(/[^-_.:/ ]*$/, "");
  return prefix;
}

/**
 * Returns the names as short as they can be told apart: without the prefix that all derived ones have in common, and without their hashes.
 * Other names stay as they are. All results differ as the names do.
 */
export function shortNames(names) {
  const isDerived = names.filter(isSurelyHashed).length > 1 ? (name) => hash.test(name) : undefined;
  const shortened = isDerived ? names.filter(isDerived) : names;
  const withoutHash = (name) => (isDerived ? name.replace(hash, "") : name);
  const { length } = prefixBeforeLetters([...new Set(shortened)].map(withoutHash));
  const short = names.map((name) => (shortened.includes(name) ? withoutHash(name).slice(length) : name));
  const count = (text) => new Set(names.filter((_, index) => short[index] === text)).size;
  return short.map((text, index) => (count(text) === 1 ? text : names[index]));
}

/**
 * Returns the name that the page shows of each tunnel and share, by key. In the tree, shares of one tunnel lose what they have in common;
 * elsewhere (`outside`), a share has its site before it.
 */
export function namesOf({ tunnels = [], shares = [] }) {
  const named = (kind, entries) => {
    const short = shortNames(entries.map(({ name }) => name));
    return entries.map((entry, index) => [keyOf(kind, entry), short[index]]);
  };
  const groups = Map.groupBy(shares, ({ frontdoorId, ipsecTunnelId }) => `${frontdoorId} ${ipsecTunnelId}`);
  const names = new Map([
    ...named("tunnel", tunnels),
    ...[...groups.values()].flatMap((group) => named("share", group)),
  ]);
  const outside = new Map(names);
  for (const share of shares) {
    const site = names.get(keyOf("tunnel", { frontdoorId: share.frontdoorId, id: share.ipsecTunnelId }));
    const key = keyOf("share", share);
    if (site !== undefined) outside.set(key, `${site} / ${names.get(key)}`);
  }
  return { names, outside };
}

/** Returns the word for a tunnel's VPN connection, as the service spells it but in capitals; undefined if it is not known. */
export function connectionWord(connection) {
  if (!connection) return undefined;
  return connection.trouble === undefined ? statusOf(connection) || connection.state || "unknown" : "unknown";
}

const statusOf = ({ status }) => (status ?? "").trim().toUpperCase();

/** True if the service names a status other than UP. */
export const isDown = (connection) =>
  connection !== undefined && connection.trouble === undefined && !["", "UP"].includes(statusOf(connection));

/** Returns since when the connection is as it is: `since 14:03 (12 min)`; `since at least …` if nobody saw the change. */
export function sinceWords({ sinceMs, isSinceExact } = {}) {
  if (sinceMs === undefined) return undefined;
  const age = Date.now() - sinceMs;
  const time = age < 43_200_000 ? timeOfDay(sinceMs).slice(0, 5) : dayAndTime(sinceMs);
  return `since ${isSinceExact ? "" : "at least "}${time} (${span(age).replace(" ", "\u00a0")})`;
}

/** Returns date and time such as `01/02/2030, 14:03`, for spans longer than a day. */
export const dayAndTime = (ms) => new Date(ms).toLocaleString("en-GB", { dateStyle: "short", timeStyle: "short" });

/** Returns a key such as `tunnel/fd-1/tnl-1`, because two front doors can have equal ids. The key is also the page's address of a selection. */
export const keyOf = (kind, { frontdoorId, id }) => `${kind}/${frontdoorId}/${id}`;

/** Returns the differences between two lists of one kind, one text each. */
export function changesBetween(kind, before, after) {
  const old = new Map(before.map((entry) => [keyOf(kind, entry), entry]));
  const changes = after.flatMap((entry) => {
    const key = keyOf(kind, entry);
    const was = old.get(key);
    old.delete(key);
    const text = was ? difference(was, entry) : `new, ${entry.status}`;
    return text === "" ? [] : [{ key, kind, name: entry.name, text }];
  });
  const gone = [...old].map(([key, { name }]) => ({ key, kind, name, text: "gone" }));
  return [...changes, ...gone];
}

/** Returns the differences in the connections of tunnels that both views know. */
export function connectionChanges(before, after) {
  return Object.entries(after).flatMap(([key, connection]) => {
    const [was, is] = [connectionWord(before[key]), connectionWord(connection)];
    if (was === undefined || was === is) return [];
    const reason = isDown(connection) && connection.statusMessage ? ` (${connection.statusMessage})` : "";
    return [{ key, kind: "tunnel", text: `connection ${was} → ${is}${reason}` }];
  });
}

function difference(was, is) {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]),
  );
  const changes = fields.map((field) => {
    const change = `${was[field] ?? "none"} → ${is[field] ?? "none"}`;
    return field === "status" ? change : `${labelOf(field)} ${change}`;
  });
  return changes.join(", ");
}

/** Returns a command for a shell, with the options by which the page's own command found the service. */
export function commandOf({ options = "", hasDefaultToken = false } = {}, words, rest = "") {
  const token = hasDefaultToken ? "FRONTDOOR_TOKEN=emulator-token " : "";
  return [`${token}npx pulumi-frontdoor ${words}`, options, rest].filter(Boolean).join(" ");
}

/** Returns the line that tells a shell about this front door; the token only if it is the emulator's well-known one. */
export const exportLine = ({ address, frontdoorId, hasDefaultToken }) =>
  `export FRONTDOOR_BASE_URL=${address} FRONTDOOR_ID=${frontdoorId}${hasDefaultToken ? " FRONTDOOR_TOKEN=emulator-token" : ""}`;

const quoted = (text) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const up = "pulumi\u00a0up";
const remedies = {
  tunnel: "Ask NetFoundry. To rebuild the tunnel, with a new key and host, set another `rotation`. Cause and remedies:",
  share: `Check the arguments, then run ${up} again. Cause and remedies:`,
};
/** The problems of tunnels, then those of shares: one for each status of a failure. */
const failures = ["tunnel", "share"].flatMap((thing) =>
  ["ERROR", "FAILED", "SUSPENDED"].map((word) => ({
    word,
    thing,
    remedyOf: () =>
      word === "SUSPENDED" && thing === "share" ? `First ask NetFoundry why. ${remedies[thing]}` : remedies[thing],
    commandFor: () => `npx pulumi-frontdoor explain ${thing === "tunnel" ? "tunnel-failed" : "share-error"}`,
  })),
);
/** True if the work on a tunnel or share has failed. */
export const isFailed = ({ status }) => failures.some(({ word }) => word === status);

/** A shorter DOWN is often maintenance. */
const isShort = ({ sinceMs, isSinceExact }) => isSinceExact && Date.now() - sinceMs < 300_000;
const down = {
  word: "DOWN",
  thing: "tunnel",
  remedyOf: (_, connection) =>
    `${isShort(connection) ? "Wait until five minutes are over. Then follow" : "Follow"} “A tunnel is DOWN” in the documentation. It begins with:`,
  commandFor: ({ id }, about) => commandOf(about, `tunnel ${quoted(id)}`),
};

const kindOfProblem = (kind, { status }, connection) =>
  failures.find(({ word, thing }) => thing === kind && word === status) ??
  (status === "DEPLOYED" && kind === "tunnel" && isDown(connection) ? down : undefined);

/** Returns the problem of a tunnel or a share, its remedy, and a command that runs as it stands; undefined if nothing is wrong. */
export function problemOf(kind, entry, connection, about) {
  const problem = kindOfProblem(kind, entry, connection);
  if (!problem) return undefined;
  const { word, remedyOf, commandFor } = problem;
  return {
    word,
    remedy: remedyOf(entry, connection),
    command: commandFor(entry, about),
    reason: reasonOf(problem, connection),
  };
}

/** Returns the service's words, and since when. */
const reasonOf = (problem, connection) =>
  problem === down ? [connection.statusMessage, sinceWords(connection)].filter(Boolean).join(" · ") : "";

/** Returns the problems, each with the tunnels or shares that have it. */
export function problemsOf({ tunnels = [], shares = [], connections = {} }, names = new Map()) {
  const all = [...tunnels.map((entry) => ["tunnel", entry]), ...shares.map((entry) => ["share", entry])].map(
    ([kind, entry]) => {
      const key = keyOf(kind, entry);
      const problem = kindOfProblem(kind, entry, connections[key]);
      return { key, shown: names.get(key) ?? entry.name, problem, reason: reasonOf(problem, connections[key]) };
    },
  );
  const found = Map.groupBy(all, ({ problem }) => problem);
  return [down, ...failures].flatMap((problem) => {
    const { word, thing } = problem;
    return found.has(problem) ? [{ word, thing, entries: found.get(problem) }] : [];
  });
}

/** Returns how many connections are there, and how many of them are known. */
export function readConnections({ tunnels = [], connections = {} }) {
  const deployed = tunnels.filter(({ status }) => status === "DEPLOYED").map((entry) => keyOf("tunnel", entry));
  return { all: deployed.length, known: deployed.filter((key) => connections[key] !== undefined).length };
}

/** True if the last successful read is as recent as the server's pause between two reads lets it be. A read takes time too. */
export const isRecent = (heardMs, { pauseMs = 0 } = {}, nowMs = Date.now()) =>
  nowMs - heardMs < Math.max(10_000, 3 * pauseMs);

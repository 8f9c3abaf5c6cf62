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
const labels = { envZId: "Environment ID", ipsecTunnelId: "Tunnel ID", frontdoorId: "Front door ID" };

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

/** Returns the part that all names begin with, up to a separator. The page shortens this part first. */
export function commonPrefix(names) {
  if (names.length < 2) return "";
  const [first] = names;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length).replace(/[^-_.:/ ]*$/, "");
}

/** Returns the word for a tunnel's VPN connection; undefined if it is not known. */
export function connectionWord(connection) {
  if (!connection) return undefined;
  return connection.trouble === undefined ? (connection.status ?? connection.state ?? "unknown") : "unknown";
}

/** Returns date and time such as `01/02/2030, 14:03`, for spans longer than a day. */
export const dayAndTime = (ms) => new Date(ms).toLocaleString("en-GB", { dateStyle: "short", timeStyle: "short" });

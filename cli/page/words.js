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

/** Returns the word for a tunnel's VPN connection; undefined if it is not known. */
export function connectionWord(connection) {
  if (!connection) return undefined;
  return connection.trouble === undefined ? (connection.status ?? connection.state ?? "unknown") : "unknown";
}

/** Returns date and time such as `01/02/2030, 14:03`, for spans longer than a day. */
export const dayAndTime = (ms) => new Date(ms).toLocaleString("en-GB", { dateStyle: "short", timeStyle: "short" });

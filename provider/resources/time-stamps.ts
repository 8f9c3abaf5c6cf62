const day = "(?:0[1-9]|[12]\\d|3[01])";
const time = "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d";
const dayName = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const monthName = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
/** Date and time in full: less than both can be anything else. */
const stamps = [
  // ISO 8601: 2026-03-01T10:00:00.123Z, with a space for the T, and 20260301T100000Z.
  `20\\d\\d-(?:0[1-9]|1[0-2])-${day}[T ]${time}(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?`,
  `20\\d\\d(?:0[1-9]|1[0-2])${day}T(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\dZ`,
  // As in HTTP headers (RFC 9110, section 5.6.7), and as date(1) and C write it.
  `${dayName}, ${day} ${monthName} 20\\d\\d ${time} GMT`,
  `${dayName} ${monthName} [ 0-3]?\\d ${time} (?:[A-Z]{3,4} )?20\\d\\d`,
];
const stamp = new RegExp(`(?<![\\w+/.-])(?:${stamps.join("|")})(?![\\w+/=:-])`, "g");

/** What speaks of a key may be followed by one, and that may look like anything. */
const speaksOfKey = /key|secret|psk|pass|shared|token|credential/i;

/**
 * True where two texts are the same but for time stamps in the same places: dates with their times in full, each on a line that
 * says more than the stamp and does not speak of a key.
 */
export const differInStampsOnly = (text: string, other: string): boolean =>
  withoutStamps(text) === withoutStamps(other);

const withoutStamps = (text: string) => text.split("\n").map(withoutStamp).join("\n");

function withoutStamp(line: string): string {
  const rest = line.replace(stamp, "\0");
  return /[a-z]/i.test(rest) && !speaksOfKey.test(rest) ? rest : line;
}

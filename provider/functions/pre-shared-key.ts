/** A text of which a quote or a backslash can be a part, or belong to a form that is not known. */
const unclear = String.raw`(?<unclear>["']\S.*|[^\s<>]*["'\\][^\s<>]*)`;
/** A quoted key, one encrypted for a device, or a word, of which a semicolon is a part. */
const value = String.raw`(?:(?:"([^"\\\n]+)"|'([^'\\\n]+)')[ \t]*;?|((?:ENC|[5-9]) \S+)|([^\s"'<>]+)|${unclear})[ \t]*$`;
/** The forms in which vendors write a key, one line each. The specification does not show the layout of the sample configuration. */
const forms = [
  // IOS, ASA and PAN-OS: the key is the last word.
  String.raw`^[^#!\n]*\bpre-shared-key (?!secret=)(?:address \S+ (?:[\d.]+ )?key |(?:local|remote|key) )?(?:0 )?${value}`,
  // Junos ends each line with a semicolon.
  String.raw`^[^#!\n]*\bpre-shared-key ascii-text (?:(?:"([^"\\\n]+)"|([^\s"'<>;]+))[ \t]*;?|${unclear})[ \t]*$`,
  String.raw`^[ \t]*crypto isakmp key (?:0 )?((?:[5-9] )?\S+) address `,
  // A list of names and values.
  String.raw`^[-*\s]*pre-?shared[ -_]key\s*[:=][ \t]*${value}`,
  // FortiOS, ipsec.secrets, and swanctl.conf.
  String.raw`^[ \t]*set psksecret ${value}`,
  String.raw`^[^#\n]*: ?PSK ${value}`,
  String.raw`^[ \t]*secret ?= ?${value}`,
  "<pre_shared_key>(?:([^<>&]+)|(?<unclear>[^<>]+))</pre_shared_key>",
].map((form) => new RegExp(form, "gim"));

const isMask = (key: string): boolean =>
  /^\**$|\*{3}|^[[({]?(redacted|hidden|masked|removed|omitted)[\])}]?$/i.test(key);
const isEncrypted = (key: string): boolean => /^(ENC|[5-9]) |^\$\d+\$/.test(key);

/** In words, since some devices read these characters also in a comment. */
const puzzling = [
  ["\\", "a backslash"],
  ['"', "a quotation mark"],
  ["'", "an apostrophe"],
  ["&", "an ampersand"],
] as const;

/** A pre-shared key, or why there is none. */
export interface Key {
  key?: string;
  missing: string;
}

/** Returns the pre-shared key in a sample configuration. Of several keys it takes the only one on a line with the service's address. */
export function keyIn(sample: string, serviceAddress: string | undefined): Key {
  const text = sample.replaceAll("\r", "");
  const matches = forms.flatMap((form) => [...text.matchAll(form)]);
  const found = matches.map(([line, ...parts]) => ({
    line,
    key: parts.find((each?: string) => each !== undefined) ?? "",
  }));
  const keys = found.filter(({ key }) => !isMask(key) && !isEncrypted(key));
  const distinct = (all: typeof keys) => [...new Set(all.map(({ key }) => key))];
  const here = keys.filter(({ line }) => serviceAddress !== undefined && line.split(/\s+/).includes(serviceAddress));
  const [only] = [distinct(keys), distinct(here)].find(({ length }) => length === 1) ?? [];
  if (only !== undefined && matches.some(({ groups }) => groups?.["unclear"] === only)) {
    const [, character] = puzzling.find(([each]) => only.includes(each)) ?? [];
    return { missing: `whose form is unclear because of ${character}: copy it from the sample configuration` };
  }
  if (only !== undefined) return { key: only, missing: "" };
  const count = distinct(keys).length;
  if (count > 1) return { missing: `of which the sample configuration has ${count}: choose the one of this tunnel` };
  if (found.some(({ key }) => isEncrypted(key)))
    return { missing: "which the sample configuration has only encrypted: ask for the key" };
  if (found.length > 0) return { missing: "which the sample configuration masks: ask for the key" };
  return { missing: "which was not found in the sample configuration" };
}

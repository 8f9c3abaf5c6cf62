import { readFileSync } from "node:fs";
import { join } from "node:path";
import { devicesFolder } from "../shared/files";

/** The service's names of encryption algorithms, the strongest first. */
export const encryptions = ["AES256-GCM-16", "AES128-GCM-16", "AES256", "AES128"] as const;
/** The service's names of integrity algorithms. SHA2-384 is first because it fits group 20, and nearly every device has it. */
export const integrities = ["SHA2-384", "SHA2-512", "SHA2-256", "SHA1"] as const;
/** Diffie-Hellman groups in the order of choice: elliptic curves, then large primes, then groups that are weak (RFC 8247). */
export const groups = [20, 19, 21, 16, 15, 14, 18, 17, 24, 5, 2] as const;

export type Encryption = (typeof encryptions)[number];
export type Integrity = (typeof integrities)[number];

/** The algorithms that were chosen for a phase. What is undefined was not named by the service. */
export interface Suite {
  phase: 1 | 2;
  encryption: Encryption | undefined;
  /** Empty for the ESP of AES-GCM, which has its own integrity. */
  integrity: Integrity | "" | undefined;
  group: number | undefined;
}

/** The parts of algorithms, of which makes build their words. */
interface Parts {
  phase: 1 | 2;
  encryption: Encryption;
  integrity: Integrity | "";
  isGcm: boolean;
  bits: string;
  /** `sha384`, as most makes write `SHA2-384`. */
  hash: string;
  /** `ecp384`, the name of group 20 in strongSwan and RouterOS. */
  curve: string;
}

/** What differs between makes beyond the lines of their templates. */
export interface Make {
  /** The algorithms of phase 1 and phase 2 that the make has, in the order of choice; by default all. */
  encryptions?: readonly [phase1: readonly Encryption[], phase2: readonly Encryption[]];
  integrities?: readonly [phase1: readonly Integrity[], phase2: readonly Integrity[]];
  groups?: readonly number[];
  /** What stands between ports; by default a comma. After a new line, the template's line is repeated. */
  portSeparator?: string;
  /** Returns the key as the make writes it; undefined if it could read the key as something else. */
  keyText: (key: string) => string | undefined;
  /** The values `phase1.<word>` and `phase2.<word>` of the template. A line with an empty one is left out. */
  words: (parts: Parts) => Record<string, string>;
}

/** Characters that mean something else on some of the devices. */
export const special = /[^\w.~+/=@%^*:,-]/gu;
/**
 * Some devices read such a text as a number: FortiOS, RouterOS and strongSwan read `0x…` as hexadecimal, and strongSwan also `0s…` as Base64.
 * FortiOS drops the first 0 of `00x…`.
 */
export const numberStart = /^0+[xs]/i;

/** True if each device reads the key as it is. */
const isText = (key: string): boolean => key.search(special) === -1 && !numberStart.test(key);

const hexOf = (text: string): string => Buffer.from(text, "utf8").toString("hex");

/** Writes keys that a quoted text can't hold safely as hexadecimal. */
const quotedOrHex = (key: string) => (isText(key) ? `"${key}"` : `0x${hexOf(key)}`);
const junosKey = (key: string) => (isText(key) ? `ascii-text "${key}"` : `hexadecimal "${hexOf(key)}"`);
const routerOsKey = (key: string) => {
  const escaped = key.replace(special, (each) => `\\${hexOf(each).toUpperCase()}`);
  return numberStart.test(key) ? `"0x${hexOf(key)}"` : `"${escaped}"`;
};
/** On IOS-XE and ASA a keyword can stand before the key, and PAN-OS reads a text that begins with -AQ== as an encrypted one. */
const word = (key: string) => (isText(key) && !/^(?:\d|hex|local|remote|-AQ==.*)$/.test(key) ? key : undefined);
/** In a form. A person does not see a space at an end. */
const typed = (key: string) => (key === key.trim() ? key : undefined);

const curves: Record<number, string> = {
  2: "modp1024",
  5: "modp1536",
  14: "modp2048",
  15: "modp3072",
  16: "modp4096",
  17: "modp6144",
  18: "modp8192",
  19: "ecp256",
  20: "ecp384",
  21: "ecp521",
  24: "modp2048s256",
};

const cbc: readonly Encryption[] = ["AES256", "AES128"];
/** AES-CBC first, for makes whose AES-GCM of phase 1 does not say its hash. */
const cbcFirst: readonly Encryption[] = [...cbc, "AES256-GCM-16", "AES128-GCM-16"];

/** `aes256gcm16-prfsha384` or `aes256-sha384`: strongSwan and FortiOS differ in the name of GCM. */
const proposal = ({ phase, isGcm, bits, hash }: Parts, gcm: string): string =>
  isGcm ? `aes${bits}${gcm}${phase === 1 ? `-prf${hash}` : ""}` : `aes${bits}-${hash}`;
const longCipher = ({ bits, isGcm }: Parts): string => `aes-${bits}-${isGcm ? "gcm" : "cbc"}`;
/** Cisco's name of SHA1 has no number. */
const ciscoHash = (hash: string): string => (hash === "sha1" ? "sha" : hash);
/** `sha-384`. */
const dashed = (hash: string): string => hash.replace(/^sha(\d{3})$/, "sha-$1");

const strongswan: Make = {
  keyText: quotedOrHex,
  words: (parts) => ({ proposal: `${proposal(parts, "gcm16")}-${parts.curve}` }),
};

/** The devices of `cli/devices/`, by their names in `--device`. */
export const makes = {
  strongswan,
  "strongswan-ipsec-conf": strongswan,
  fortigate: {
    groups: groups.filter((group) => group !== 24),
    portSeparator: " ",
    keyText: quotedOrHex,
    words: (parts) => ({ proposal: proposal(parts, "gcm") }),
  },
  "cisco-ios-xe": {
    groups: groups.filter((group) => group !== 17 && group !== 18),
    keyText: word,
    words: ({ isGcm, bits, hash }) => ({
      encryption: `aes-${isGcm ? "gcm" : "cbc"}-${bits}`,
      integrity: `${isGcm ? "prf" : "integrity"} ${hash}`,
      transforms: isGcm ? `esp-gcm ${bits}` : `esp-aes ${bits} esp-${ciscoHash(hash)}-hmac`,
    }),
  },
  "cisco-asa": {
    groups: [20, 19, 21, 16, 15, 14],
    keyText: word,
    words: ({ phase, isGcm, bits, hash }) => ({
      encryption: `aes${isGcm ? "-gcm" : ""}${bits === "128" ? "" : `-${bits}`}`,
      integrity: isGcm ? "null" : phase === 1 ? ciscoHash(hash) : hash.replace("sha", "sha-"),
      prf: ciscoHash(hash),
    }),
  },
  "pan-os": {
    encryptions: [cbcFirst, encryptions],
    groups: groups.filter((group) => ![17, 18, 24].includes(group)),
    keyText: word,
    words: (parts) => ({
      encryption: longCipher(parts),
      integrity: parts.isGcm ? (parts.phase === 1 ? "non-auth" : "none") : parts.hash,
    }),
  },
  "juniper-srx": {
    encryptions: [cbcFirst, encryptions],
    integrities: [
      ["SHA2-384", "SHA2-256", "SHA1"],
      ["SHA2-256", "SHA1"],
    ],
    groups: [20, 19, 14, 24, 5, 2],
    portSeparator: "\n",
    keyText: junosKey,
    words: (parts) => ({
      encryption: longCipher(parts),
      integrity: parts.isGcm
        ? ""
        : parts.phase === 1
          ? dashed(parts.hash)
          : `hmac-${dashed(parts.hash)}-${parts.hash === "sha1" ? 96 : 128}`,
    }),
  },
  mikrotik: {
    encryptions: [cbc, encryptions],
    integrities: [integrities, ["SHA2-512", "SHA2-256", "SHA1"]],
    groups: groups.filter((group) => group !== 24),
    keyText: routerOsKey,
    words: (parts) => ({
      encryption: parts.phase === 1 ? `aes-${parts.bits}` : longCipher(parts),
      integrity: parts.hash === "" ? '""' : parts.hash,
      group: parts.curve,
    }),
  },
  pfsense: {
    keyText: typed,
    words: ({ isGcm, bits, hash }) => ({
      encryption: isGcm ? `AES${bits}-GCM, 128 bits` : `AES, ${bits} bits`,
      integrity: hash.toUpperCase(),
    }),
  },
  "check-point": {
    encryptions: [cbc, encryptions],
    integrities: [
      ["SHA2-384", "SHA2-256", "SHA1"],
      ["SHA2-384", "SHA2-256", "SHA1"],
    ],
    groups: [20, 19, 14, 5, 2],
    keyText: typed,
    words: ({ isGcm, bits, hash }) => ({
      encryption: isGcm ? `AES-GCM-${bits}` : `AES-${bits}`,
      integrity: hash.toUpperCase(),
    }),
  },
  generic: { keyText: typed, words: ({ encryption, integrity }) => ({ encryption, integrity }) },
} satisfies Record<string, Make>;

export type Device = keyof typeof makes;
export const devices = Object.keys(makes) as Device[];

/** The make's words for the algorithms of a phase; none if the service did not name one of them. */
export function wordsOf(make: Make, { phase, encryption, integrity, group }: Suite): Values {
  if (encryption === undefined || integrity === undefined || group === undefined) return {};
  const parts = {
    phase,
    encryption,
    integrity,
    isGcm: encryption.includes("GCM"),
    bits: encryption.slice(3, 6),
    hash: integrity.toLowerCase().replace("sha2-", "sha"),
    curve: curves[group] ?? "",
  };
  const words = Object.entries({ group: String(group), ...make.words(parts) });
  return Object.fromEntries(words.map(([word, text]) => [`phase${phase}.${word}`, text]));
}

/** A head of comments, an empty line, and the lines for the device. */
export interface Section {
  /** The lines of the head without the mark of a comment. */
  head: string[];
  /** The places that a person fills in, with a sentence part about each. */
  places: (readonly [mark: string, about: string])[];
  body: string;
}

/** The file of a device in `cli/devices/`: the configuration, a line `----`, and what removes the configuration again. */
export interface Template extends Section {
  comment: string;
  removal: Section;
  make: string;
  model: string;
  firmware: string;
  load: string;
  checked: string;
}

export function templateOf(device: Device): Template {
  const text = readFileSync(join(devicesFolder, `${device}.conf`), "utf8");
  const [making = "", removing = ""] = text.split("\n----\n");
  const made = sectionOf(`${making}\n`);
  const fact = (name: string) => made.head.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
  const facts = { make: fact("Make"), model: fact("Model"), firmware: fact("Firmware") };
  const removal = sectionOf(removing);
  return { comment: text.slice(0, 1), ...made, removal, ...facts, load: fact("Load"), checked: fact("Checked") };
}

function sectionOf(text: string): Section {
  const [top = "", body = ""] = text.split(/\n\n(.*)/s);
  const lines = top.split("\n").map((line) => line.slice(2));
  const places = lines.flatMap((line) => {
    const [, mark, about] = /^(<FILL_IN:\w+>) {2}(.+)$/.exec(line) ?? [];
    return mark === undefined || about === undefined ? [] : [[mark, about] as const];
  });
  return { head: lines.filter((line) => !line.startsWith("<FILL_IN:")), places, body };
}

export type Values = Record<string, string | undefined>;

/**
 * Puts values into a text: `{{name}}` becomes the value, a line with an empty value is left out, and a line with a value of several lines
 * is repeated for each. `onMissing` returns what stands for a value that is undefined.
 */
export function fill(text: string, values: Values, onMissing: (name: string) => string): string {
  const mark = /\{\{([\w.]+)\}\}/g;
  const filled = (line: string): string[] => {
    const names = [...line.matchAll(mark)].map(([, name = ""]) => name);
    if (names.some((name) => values[name] === "")) return [];
    const put = (row: Values) => line.replace(mark, (_, name: string) => row[name] ?? onMissing(name));
    const several = names.find((name) => values[name]?.includes("\n"));
    if (several === undefined) return [put(values)];
    return (values[several] ?? "").split("\n").map((value) => put({ ...values, [several]: value }));
  };
  return text.split("\n").flatMap(filled).join("\n");
}

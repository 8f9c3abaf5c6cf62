/** The kinds of algorithms in a tunnel's offer. */
export type Kind = "ikeVersions" | "encryption" | "integrity" | "dhGroups";

/** Returns the canonical name of an algorithm: `SHA1` for `SHA-1`, `HMAC_SHA1_96` and `esp-sha-hmac`, `3DES` for `TripleDES`. */
export function plainName(kind: Kind, text: string): string {
  if (kind === "ikeVersions" || kind === "dhGroups") return /\d+/.exec(text)?.[0] ?? text.toUpperCase();
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^(?:IKEV[12]|IKE|ENCR|ESP|AUTH|PRF|HMAC)+/, "")
    .replace(/HMAC$/, "");
  return kind === "encryption" ? cipher(name) : hash(name);
}

function cipher(name: string): string {
  if (/^(?:3DES|TRIPLEDES|TDES|TDEA|DES3|DESEDE)/.test(name)) return "3DES";
  // It authenticates, but does not encrypt.
  if (name.includes("GMAC")) return "NULL";
  if (!name.startsWith("AES")) return name;
  const mode = /GCM|CCM|CTR/.exec(name)?.[0] ?? "CBC";
  return `AES${/128|192|256/.exec(name)?.[0] ?? ""}${mode}`;
}

function hash(name: string): string {
  const bits = /^SHA2?(224|256|384|512)/.exec(name)?.[1];
  if (bits !== undefined) return `SHA2${bits}`;
  return /^SHA1?(?:96|160)?$/.test(name) ? "SHA1" : name;
}

/** True if the algorithm fits the entry of a list. An entry also fits longer names: `AES256` fits `AES256GCM`. */
export function isOf(kind: Kind, algorithm: string, entry: string | number): boolean {
  const [name, wanted] = [plainName(kind, algorithm), plainName(kind, String(entry))];
  if (kind === "ikeVersions" || kind === "dhGroups") return name === wanted;
  // An entry without a mode fits all modes.
  const prefix = /GCM|CCM|CTR|CBC/i.test(String(entry)) ? wanted : wanted.replace(/CBC$/, "");
  if (name === prefix) return true;
  // `AES-GCM` fits every key length.
  const [, length = "", mode = ""] = /^AES(\d*)(\w*)$/.exec(prefix) ?? [];
  if (prefix.startsWith("AES")) return name.startsWith(`AES${length}`) && name.endsWith(mode);
  return name.startsWith(prefix);
}

/** True if a cipher also authenticates, so that integrity is NONE beside it (RFC 8221). */
export const isAead = (algorithm: string): boolean => /GCM|CCM|POLY1305/.test(plainName("encryption", algorithm));

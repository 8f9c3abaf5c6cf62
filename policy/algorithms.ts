/** What of a tunnel's offer an algorithm is. */
export type Kind = "ikeVersions" | "encryption" | "integrity" | "dhGroups";

/** One spelling for the many of one algorithm: `SHA1` for `SHA-1`, `HMAC_SHA1_96` and `esp-sha-hmac`, `3DES` for `TripleDES`. */
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
  // Authentication alone.
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

/** Whether the algorithm is the one of the entry, or a number of the same; a name may go on (`AES256GCM` is of `AES256`). */
export function isOf(kind: Kind, algorithm: string, entry: string | number): boolean {
  const [name, wanted] = [plainName(kind, algorithm), plainName(kind, String(entry))];
  if (kind === "ikeVersions" || kind === "dhGroups") return name === wanted;
  // Of an entry without a mode all modes.
  const prefix = /GCM|CCM|CTR|CBC/i.test(String(entry)) ? wanted : wanted.replace(/CBC$/, "");
  if (name === prefix) return true;
  // `AES-GCM` is of every length.
  const [, length = "", mode = ""] = /^AES(\d*)(\w*)$/.exec(prefix) ?? [];
  if (prefix.startsWith("AES")) return name.startsWith(`AES${length}`) && name.endsWith(mode);
  return name.startsWith(prefix);
}

/** Whether a cipher authenticates what it encrypts, so that integrity is NONE beside it (RFC 8221). */
export const isAead = (algorithm: string): boolean => /GCM|CCM|POLY1305/.test(plainName("encryption", algorithm));

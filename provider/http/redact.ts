/** Takes known secrets out of text, in every spelling in which they may come back: raw, base64, URL-encoded, JSON-escaped. */
export class Redactor {
  private readonly spellings = new Set<string>();

  /** Short values are left alone: taking them out would garble every message. */
  add(secret: string): void {
    if (secret.length < 4) return;
    const base64 = Buffer.from(secret).toString("base64");
    const json = JSON.stringify(secret).slice(1, -1);
    for (const spelling of [
      secret,
      base64,
      base64.replace(/=+$/, ""),
      toUrl(base64),
      encodeURIComponent(secret),
      json,
    ]) {
      this.spellings.add(spelling);
    }
  }

  clean(text: string): string {
    // The longest first: one spelling can be a part of another.
    return [...this.spellings]
      .sort((a, b) => b.length - a.length)
      .reduce((cleaned, spelling) => cleaned.replaceAll(spelling, "[secret]"), text);
  }
}

const toUrl = (base64: string) => base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

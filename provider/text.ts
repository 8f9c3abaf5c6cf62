/** Encodings by the mark at the begin of a file, in hexadecimal digits. */
const encodings: Partial<Record<string, string>> = { fffe: "utf-16le", feff: "utf-16be" };

/**
 * Returns the text of a file that a user gives. `>` of PowerShell 5 writes UTF-16, and some editors put a mark before UTF-8. The mark is no
 * part of the text.
 */
export const textIn = (bytes: Buffer): string =>
  new TextDecoder(encodings[bytes.toString("hex", 0, 2)] ?? "utf-8").decode(bytes);

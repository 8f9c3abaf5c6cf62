import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Resolves references to secrets on the worker, and keeps what it has resolved out of every text. */
export class Secrets {
  private readonly values = new Set<string>();

  private readonly root: string;
  private readonly env: NodeJS.ProcessEnv;

  constructor(root: string, env: NodeJS.ProcessEnv) {
    this.root = root;
    this.env = env;
  }

  /** The value behind `env:NAME` or `file:PATH` (below the worker's folder where it is relative). @throws Error naming the reference alone */
  value(reference: string): string {
    const [, kind, where = ""] = /^(env|file):(.*)$/s.exec(reference) ?? [];
    const found = kind === "env" ? this.env[where] : this.fileText(reference, where);
    if (!found) throw new Error(`${reference}: this worker has no such ${kind === "env" ? "variable" : "file"}`);
    this.keep(found);
    return found;
  }

  /** The same, or the text itself where it is no reference. */
  valueOrText = (text: string): string =>
    /^(env|file):/.test(text) && !text.startsWith("file://") ? this.value(text) : text;

  private fileText(reference: string, path: string): string {
    try {
      return readFileSync(resolve(this.root, path), "utf8").trim();
    } catch (error) {
      throw new Error(
        `${reference}: this worker can't read it (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
        { cause: error },
      );
    }
  }

  private keep(value: string): void {
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), base64(value)])
      this.values.add(form);
    // The password in an address.
    const password = /^\w+:\/\/[^/]*:([^/]*)@/.exec(value)?.[1];
    if (password) this.values.add(password).add(decodeURIComponent(password));
  }

  /** The text with every value that was resolved, in any usual spelling, as `[secret]`. */
  clean(text: string): string {
    const longestFirst = [...this.values].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((cleaned, value) => cleaned.replaceAll(value, "[secret]"), text);
  }
}

const base64 = (value: string) => Buffer.from(value).toString("base64");

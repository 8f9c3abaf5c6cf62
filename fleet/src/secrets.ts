import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Allowed } from "./allowed.ts";
import { Redactor } from "./redactor.js";

/** Resolves references to secrets on the worker, and redacts every value that it has resolved. */
export class Secrets {
  private readonly redactor = new Redactor();

  private readonly root: string;
  private readonly env: NodeJS.ProcessEnv;
  private readonly allowed: Allowed;

  constructor(root: string, env: NodeJS.ProcessEnv, allowed: Allowed) {
    this.root = root;
    this.env = env;
    this.allowed = allowed;
  }

  /**
   * Returns the value of `env:NAME` or `file:PATH`. A relative path starts at the worker's folder.
   * @throws Error that names only the reference
   */
  value(reference: string): string {
    this.allowed.reference(reference);
    return this.resolved(reference);
  }

  /**
   * Returns the absolute path of a credentials file, which the worker's settings must allow as `file:PATH`.
   * @throws Error that names only the reference
   */
  credentialsFile(path: string): string {
    const text = this.value(`file:${path}`);
    const { password } = passwordIn(text);
    if (typeof password === "string") this.redactor.add(password);
    return resolve(this.root, path);
  }

  /** Returns the address of a back end. Call `Allowed.check` first. */
  backend = (text: string): string => (text.startsWith("file://") ? text : this.resolved(text));

  private resolved(reference: string): string {
    const [, kind, where = ""] = /^(env|file):(.*)$/s.exec(reference) ?? [];
    const found = kind === "env" ? this.env[where] : this.fileText(reference, where);
    if (!found)
      throw new Error(
        `${reference}: this worker has no such ${kind === "env" ? "variable" : "file"}, or it is empty. The stack was not touched. Set it on the worker. [worker-secret-missing]`,
      );
    for (const secret of [found, ...addressSecrets(found)]) this.redactor.add(secret);
    return found;
  }

  private fileText(reference: string, path: string): string {
    try {
      return readFileSync(resolve(this.root, path), "utf8").trim();
    } catch (error) {
      throw new Error(
        `${reference}: this worker can't read the file (${(error as NodeJS.ErrnoException).code ?? "unknown"}). The stack was not touched. Correct the path. [worker-secret-missing]`,
        { cause: error },
      );
    }
  }

  /** Replaces every resolved value by `[secret]`, with the provider's own redactor. */
  clean(text: string): string {
    return this.redactor.clean(text);
  }
}

/** The provider reports a file that holds something else. */
function passwordIn(text: string): { password?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { password?: unknown };
  } catch {
    return {};
  }
}

/** Returns the secrets in an address: its password, and values of its query with names of secrets. */
function addressSecrets(address: string): string[] {
  const password = /^\w+:\/\/[^:@/]*:(.*)@/s.exec(address)?.[1] ?? "";
  const query = new URLSearchParams(address.split("?").slice(1).join("?"));
  const named = [...query].filter(([name]) => /pass|secret|token|key|sig|cred/i.test(name)).map(([, value]) => value);
  // An engine that reads a password with a slash as a port and a path names the parts.
  const parts = [password, ...password.split(/[/?#]/)];
  return [...parts, ...parts.map(decoded), ...named, ...named.map(encodeURIComponent)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

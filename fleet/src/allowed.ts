import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { FleetFileError, readFleet } from "./fleet";
import { Redactor } from "../../provider/http/redact";
import { operations, type StackOperation } from "./operation";

/** A worker's own settings. They limit what users of its Temporal namespace can make it do. */
export interface AllowSettings {
  /** `env:NAME`, `file:PATH`, or `file:FOLDER/` for everything below a folder. */
  secrets?: string[];
  /** Backends, as a fleet file writes them. */
  backends?: string[];
  /** Values of `frontdoor:baseUrl` and `frontdoor:tokenUrl`. */
  urls?: string[];
  /** The fleet whose stacks the worker takes. */
  fleet: string;
}

const defaults = {
  secrets: ["env:PULUMI_CONFIG_PASSPHRASE", "env:FRONTDOOR_TOKEN", "env:FRONTDOOR_CLIENT_SECRET"],
  backends: ["env:PULUMI_BACKEND_URL"],
};

const refused = (what: string, option: string, code: string) =>
  new Error(
    `This worker does not allow ${what}. The stack was not touched. Start the worker with ${option}. [${code}]`,
  );

/** Checks each operation on the worker, because Temporal passes on whatever is written to the namespace. */
export class Allowed {
  private readonly root: string;
  private readonly secrets: string[];
  private readonly backends: string[];
  private readonly urls: string[];
  private readonly fleet: string;

  constructor(root: string, { secrets = [], backends = [], urls = [], fleet }: AllowSettings) {
    this.root = root;
    this.secrets = [...defaults.secrets, ...secrets];
    this.backends = [...defaults.backends, ...backends];
    this.urls = urls.map(plainUrl);
    this.fleet = fleet;
  }

  /** Applies the rules of the fleet file again, the worker's fleet and its list of backends. @throws Error */
  check({ fleet, operation, stack, backend, passphrase, lostAfterSeconds }: StackOperation): void {
    if (fleet !== this.fleet) throw refused(`the fleet ${fleet}`, `--fleet ${fleet}`, "worker-fleet");
    const { name, program, frontDoor, config, secrets, labels } = stack;
    const stacks = { [name]: { program, frontDoor, config, secrets, labels } };
    readFleet({ name: "requested", backend, passphrase, limits: { lostAfterSeconds }, stacks });
    if (!operations.includes(operation)) throw new FleetFileError(`there is no operation ${operation}. [fleet-option]`);
    if (!this.backends.includes(backend))
      throw refused(`the backend ${backend}`, `--allow-backend ${backend}`, "worker-backend");
  }

  /** The real path of a program's folder. @throws Error if it is not inside the worker's folder, or has no Pulumi.yaml */
  program(path: string): string {
    const folder = join(this.root, path);
    if (!existsSync(join(folder, "Pulumi.yaml")))
      throw new Error(
        `${path}: this worker has no Pulumi.yaml in this folder. The stack was not touched. Correct program in the fleet file. [worker-no-program]`,
      );
    if (!isInside(folder, this.root)) throw new Error(outside(path));
    return realpathSync(folder);
  }

  /** @throws Error if the worker may not resolve this reference */
  reference(reference: string): void {
    if (this.secrets.includes(reference)) return;
    const isBelow = (folder: string) =>
      folder.startsWith("file:") && folder.endsWith("/") && isInside(this.file(reference), this.file(folder));
    if (reference.startsWith("file:") && this.secrets.some(isBelow)) return;
    throw refused(reference, `--allow-secret ${reference}`, "worker-secret");
  }

  /** The addresses that get credentials. The provider's default address needs no entry. @throws Error */
  addresses(settings: Record<string, string>): void {
    const addresses = { FRONTDOOR_BASE_URL: "frontdoor:baseUrl", FRONTDOOR_TOKEN_URL: "frontdoor:tokenUrl" };
    for (const [variable, setting] of Object.entries(addresses)) {
      const url = settings[variable];
      if (url !== undefined && !this.urls.includes(plainUrl(url)))
        throw refused(`${url} as ${setting}`, `--allow-url ${url}`, "worker-url");
    }
  }

  private file = (reference: string) => resolve(this.root, reference.slice("file:".length));
}

const outside = (path: string) =>
  `${path}: this folder is outside the worker's folder. The stack was not touched. Move the program below the worker's --root. [worker-program]`;

/** Compares real paths, so a symbolic link cannot lead out of the folder. */
function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [path, folder].map((each) => (existsSync(each) ? realpathSync(each) : each)) as [
    string,
    string,
  ];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** Returns an address in one spelling, without a slash at its end. */
const plainUrl = (text: string) => (URL.canParse(text) ? new URL(text).href : text).replace(/\/$/, "");

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

  /** Returns the address of a backend. Call `Allowed.check` first. */
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

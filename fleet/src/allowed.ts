import { existsSync, realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { FleetFileError, readFleet } from "./fleet.ts";
import { operations, type StackOperation } from "./operation.ts";

/** A worker's own settings. They limit what users of its Temporal namespace can make it do. */
export interface AllowSettings {
  /** `env:NAME`, `file:PATH`, or `file:FOLDER/` for everything below a folder. */
  secrets?: string[];
  /** Back ends, as a fleet file writes them. */
  backends?: string[];
  /** Values of `frontdoor:baseUrl` and `frontdoor:tokenUrl`. */
  urls?: string[];
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

  constructor(root: string, { secrets = [], backends = [], urls = [] }: AllowSettings = {}) {
    this.root = root;
    this.secrets = [...defaults.secrets, ...secrets];
    this.backends = [...defaults.backends, ...backends];
    this.urls = urls.map(plainUrl);
  }

  /** Applies the rules of the fleet file again, and the list of back ends. @throws Error */
  check({ operation, stack, backend, passphrase, lostAfterSeconds }: StackOperation): void {
    const { name, program, frontDoor, config, secrets, labels } = stack;
    const stacks = { [name]: { program, frontDoor, config, secrets, labels } };
    readFleet({ name: "asked", backend, passphrase, limits: { lostAfterSeconds }, stacks });
    if (!operations.includes(operation)) throw new FleetFileError(`there is no operation ${operation}. [fleet-option]`);
    if (!this.backends.includes(backend))
      throw refused(`the back end ${backend}`, `--allow-backend ${backend}`, "worker-backend");
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

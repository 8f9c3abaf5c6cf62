import type { dynamic } from "@pulumi/pulumi";
import { readConfig } from "../config";
import {
  decodedValue,
  engineAddress,
  type HiddenInputs,
  isHiddenInput,
  mapValues,
  openHere,
  type ResourceLines,
  resourceLinesIn,
  secretMark,
  unknownText,
  watchEngine,
} from "../engine/engine";
import { failed, FrontdoorError } from "../errors";
import { pick, UNKNOWN } from "../fields/field";
import { type Common, type Resource, secretOutputsWith } from "../lifecycle/lifecycle";
import { notConfigured } from "../messages";
import type { Service } from "../operations/service";

type Settings = (key: string) => string | undefined;

/**
 * The services of this process, by their configuration. The engine starts one process for all dynamic resources of a run, and makes
 * an adapter for each kind of resource. Only module-level state is common to the adapters.
 */
const services = new Map<string, Service>();

/** The engine shows a line of this process among the run's messages. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Returns the service of these settings and the environment. The service stops with the engine.
 * @throws FrontdoorError if the settings are wrong.
 */
export function serviceOfProcess(settings: Settings): Service {
  const config = readConfig(settings, process.env);
  if (services.size === 0) stopWithEngine();
  const key = JSON.stringify(config);
  const service = services.get(key) ?? openHere(config, say);
  services.set(key, service);
  return service;
}

let opened: Promise<ResourceLines> | undefined;

/** The lines beside the resources of this process. */
export const lines: ResourceLines = {
  show: async (urn, line) => (await openedLines()).show(urn, line),
  showProgress(urn, line) {
    void openedLines().then(({ showProgress }) => {
      showProgress(urn, line);
    });
  },
};

const openedLines = () => (opened ??= openLines());

/** Loads the engine's log only when there is a line: gRPC is slow to load. */
async function openLines(): Promise<ResourceLines> {
  const { EngineLog } = await import("../engine/engine.js");
  const log = new EngineLog();
  const address = engineAddress(process.argv);
  if (address !== undefined) log.connect(address);
  return resourceLinesIn(log);
}

function stopWithEngine(): void {
  watchEngine({
    onInterrupt: () => {
      for (const service of services.values()) service.endRun();
    },
    onGone: () => {
      for (const service of services.values()) service.stop();
    },
  });
}

/**
 * Lets each error of this package show once. Of a check, diff, read or delete that fails, Pulumi's process prints "error: stack" to standard
 * error before it hands the error to the engine, which shows it. So reading the stack drops that one line.
 */
export function showingOnce<Provider extends dynamic.ResourceProvider>(provider: Provider): Provider {
  const calls = provider as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of ["check", "diff", "read", "delete"]) {
    const call = calls[name]?.bind(provider);
    if (call)
      calls[name] = (...args) =>
        call(...args).catch((error: unknown) => {
          throw error instanceof FrontdoorError ? withoutLine(error) : error;
        });
  }
  return provider;
}

const withoutLine = (error: FrontdoorError): FrontdoorError =>
  Object.defineProperty(error, "stack", {
    get: () => {
      dropLine(`${String(error)}: `);
      return "";
    },
  });

/** Drops this line if it is the next one on standard error, and is written before anything else happens. */
function dropLine(line: string): void {
  const { stderr } = process;
  const before = Object.getOwnPropertyDescriptor(stderr, "write");
  const restore = () => {
    if (before) Object.defineProperty(stderr, "write", before);
    else Reflect.deleteProperty(stderr, "write");
  };
  const write = (...args: Parameters<typeof stderr.write>): boolean => {
    restore();
    return String(args[0]).trimEnd() === line.trimEnd() || stderr.write(...args);
  };
  Object.defineProperty(stderr, "write", { configurable: true, value: write });
  queueMicrotask(restore);
}

/** Opens the resource of one kind with these settings. @throws FrontdoorError if the settings are wrong. */
export type OpenResource<Inputs extends Common, Outputs extends Common> = (
  settings: Settings,
) => Resource<Inputs, Outputs>;

/** Values that the engine sends only to check: the inputs in the state, if there are any, and the URN. */
interface Checked {
  oldInputs: Props | undefined;
  urn: string;
}

/** Keeps the state of the adapter between the engine's calls. */
export class Session<Inputs extends Common, Outputs extends Common> {
  private configured: Resource<Inputs, Outputs> | FrontdoorError = failed(notConfigured);
  private readonly checked = new Map<string, Checked>();

  constructor(private readonly open: OpenResource<Inputs, Outputs>) {}

  /** Opens the resource. Never throws: if the settings are wrong, `problem` says so. */
  configure(settings: Settings): void {
    try {
      this.configured = this.open(settings);
    } catch (error) {
      this.configured = error as FrontdoorError;
    }
  }

  /** The problem if there is no resource, else undefined. */
  get problem(): string | undefined {
    return this.configured instanceof Error ? this.configured.message : undefined;
  }

  /** The resource. @throws FrontdoorError if there is a problem. */
  get resource(): Resource<Inputs, Outputs> {
    if (this.configured instanceof Error) throw this.configured;
    return this.configured;
  }

  /** Remembers the values that the engine sends only to check. */
  remember(inputs: object, { olds, origin = "" }: { olds: Props; origin: string | undefined }): void {
    const oldInputs = Object.keys(olds).length > 0 ? olds : undefined;
    this.checked.set(identityOf(inputs), { oldInputs, urn: origin.slice(origin.indexOf("urn:")) });
  }

  /** Returns the remembered values of the resource with these inputs; undefined if there was no check, as before a delete. */
  checkedOf(inputs: Props): Checked | undefined {
    return this.checked.get(identityOf(inputs));
  }
}

/** Name and front door tell a resource from the others of its kind; a connection has its tunnel's id instead of a name. */
const identityOf = (props: object) => JSON.stringify(pick(props, ["frontdoorId", "name", "tunnelId"]));

export type Props = Record<string, unknown> & HiddenInputs;

/** Returns the core's properties: without hidden inputs, and unknown values as UNKNOWN. No message shows the secret ones from then on. */
export function decoded(resource: Pick<Resource<never, never>, "keepSecret">, props: Props): Record<string, unknown> {
  const { __secrets: secrets = [] } = props;
  for (const key of secrets.length > 0 ? [...secrets, "__shown"] : []) resource.keepSecret(props[key]);
  const own = Object.fromEntries(Object.entries(props).filter(([key]) => !isHiddenInput(key)));
  return mapValues(own, (value) => decodedValue(value));
}

/** Returns properties as the engine reads them: none is undefined, and secret ones have the engine's mark. */
export function encoded(props: object, secrets = secretOutputsWith()): Record<string, unknown> {
  const marked = ([key, value]: [string, unknown]): [string, unknown] =>
    value !== unknownText && secrets.includes(key) ? [key, { ...secretMark, value }] : [key, value];
  return Object.fromEntries(Object.entries(encodedObject(props)).map(marked));
}

/** Returns the outputs for the state, with the hidden inputs that a later run needs. */
export const encodedOutputs = (outputs: object, props: Props) =>
  encoded({ ...outputs, ...storedInputs(props) }, secretOutputsWith(props.__secrets));

/** Returns the hidden inputs that the state holds. */
export const storedInputs = ({ __timeouts, __secrets = [] }: HiddenInputs): HiddenInputs => ({
  ...(__timeouts && { __timeouts }),
  ...(__secrets.length > 0 && { __secrets }),
});

function encodedValue(value: unknown): unknown {
  if (value === UNKNOWN) return unknownText;
  if (Array.isArray(value)) return value.map(encodedValue);
  return typeof value === "object" && value !== null ? encodedObject(value) : value;
}

const encodedObject = (of: object) =>
  mapValues(Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)), encodedValue);

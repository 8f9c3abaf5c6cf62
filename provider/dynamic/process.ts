import { readConfig, type ReadSetting } from "../config";
import {
  decodedValue,
  engineAddress,
  EngineLog,
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
import { UNKNOWN } from "../fields/field";
import { type Resource, secretOutputsWith } from "../lifecycle/lifecycle";
import type { Service } from "../operations/service";

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
export function serviceOfProcess(settings: ReadSetting): Service {
  const config = readConfig(settings, process.env);
  if (services.size === 0) stopWithEngine();
  const key = JSON.stringify(config);
  const service = services.get(key) ?? openHere(config, say);
  services.set(key, service);
  return service;
}

let opened: ResourceLines | undefined;

/** The lines beside the resources of this process, which connects to the engine's log when there is a line. */
export const lines: ResourceLines = {
  show: (urn, line) => (opened ??= openLines()).show(urn, line),
  showProgress: (urn, line) => {
    (opened ??= openLines()).showProgress(urn, line);
  },
};

function openLines(): ResourceLines {
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

export type Props = Record<string, unknown> & HiddenInputs;

/** Returns the core's properties: without hidden inputs, and unknown values as UNKNOWN. No message shows the secret ones from then on. */
export function decoded(resource: Pick<Resource<never, never>, "keepSecret">, props: Props): Record<string, unknown> {
  const { __secrets: secrets = [] } = props;
  for (const key of secrets) resource.keepSecret(props[key]);
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

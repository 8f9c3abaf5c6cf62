import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import { readConfig, type ReadSetting } from "../config";
import { failed, type FrontdoorError } from "../errors";
import { UNKNOWN, valueOf } from "../fields/field";
import { resourceTypes } from "../fields/resource-types";
import type { ResourceType } from "../fields/types";
import type { Common, Outcome } from "../lifecycle/contract";
import { checkedName, type Resource } from "../lifecycle/lifecycle";
import { notConfigured } from "../messages";
import { durationSeconds } from "../time";
import { EngineLog, watchEngine } from "./engine";
import {
  encoded,
  type HiddenInputs,
  type Host,
  openHost,
  type Operation,
  type Properties,
  secretsWith,
  stateIn,
  type Values,
} from "./host";

/*
 * What Pulumi's process for dynamic providers does, and this file has to live with:
 *
 * - It serves all dynamic resources of a run, with an adapter for each type. Only module-level state is common to the adapters. It calls
 *   `configure` once, and makes other calls without waiting for it.
 * - It tells neither URN nor secrets nor timeouts, so the classes add hidden inputs. Of a secret input, the engine itself marks the output
 *   with the same name.
 * - Only check gets the URN and the inputs in the state. The other calls find them by what identifies the resource.
 * - If a diff does not say whether there are changes, the engine compares the inputs itself, which `replaceOnChanges` needs. It can see
 *   the change only if a property differs. None differs after a refresh by an older version of the process, which does not keep the inputs
 *   that it reads.
 * - Without a diff, the state keeps its outputs, and a delete gets nothing else. So hidden inputs that differ are a diff, and its update sends
 *   nothing. The state of a resource that the plugin created also lacks `__provider`, without which no later run finds this package.
 * - A resource that exists but is not ready is kept by an error with `id`, `properties` (with `__provider`) and `reasons` (not empty).
 */

type Props = Record<string, unknown> & HiddenInputs;

/** Translates the calls of Pulumi's process for dynamic providers, for one type of resource. */
export class DynamicAdapter implements dynamic.ResourceProvider {
  private opened: Host | FrontdoorError = failed(notConfigured);

  constructor(
    private readonly type: ResourceType,
    /** Opens the host of these settings. @throws FrontdoorError if they are wrong. */
    private readonly open: (settings: ReadSetting) => Host,
  ) {}

  /** Ends before it first awaits. Never throws: check tells what is wrong with the settings. */
  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    try {
      this.opened = this.open((key) => config.get(key));
    } catch (error) {
      this.opened = error as FrontdoorError;
    }
    return Promise.resolve();
  }

  /** @throws FrontdoorError if the settings are wrong. */
  private get host(): Host {
    if (this.opened instanceof Error) throw this.opened;
    return this.opened;
  }

  private get resource(): Resource<Common, Common> {
    return this.host.resources[this.type];
  }

  async check(olds: Props, news: Props): Promise<dynamic.CheckResult> {
    const host = this.opened;
    if (host instanceof Error) return { inputs: news, failures: [{ property: "", reason: host.message }] };
    const [{ values: oldInputs }, given] = [host.decoded(olds), host.decoded(news)];
    const { values, secretPaths: secrets, hidden } = given;
    const { __origin: origin, __tunnel: tunnel, __retained: isRetained = false } = hidden;
    const urn = origin === undefined ? "" : urnOf(origin);
    const declaration = { news: values, olds: oldInputs, origin, secrets, tunnel, isRetained };
    const isInState = Object.keys(olds).length > 0;
    const kept = isInState ? oldInputs : undefined;
    const { inputs, failures, aliased = [] } = await this.resource.check(declaration, urn, kept);
    const { register } = host.service;
    if (origin !== undefined) register.identifies(this.identityOf(inputs, oldInputs), origin);
    // A policy can change the name after check.
    if (origin !== undefined && isInState) register.identifies(this.identityInState(oldInputs), origin);
    // The engine marks the alias as secret, not the name, and does not tell.
    return { inputs: propsOf(inputs, given, aliased), failures };
  }

  async diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    const [state, inputs] = [this.host.decoded(olds), this.host.decoded(news)];
    const step = { ...this.stepOf(inputs, { state: state.values }), options: differingOptions(state, inputs) };
    const diff = await this.resource.diff({ ...step, id, state: state.values, inputs: inputs.values });
    const { changes, replaces, deleteBeforeReplace, isOfInputs, properties } = diff;
    if (isOfInputs && Object.keys(properties).length > 0) return { deleteBeforeReplace };
    return { changes, replaces, deleteBeforeReplace };
  }

  async create(props: Props): Promise<dynamic.CreateResult> {
    const inputs = this.host.decoded(props);
    const step = this.stepOf(inputs, { operation: "create" });
    const made = await this.resource.create({ ...step, inputs: inputs.values });
    return { id: made.id, outs: outputsOrError(made, inputs) };
  }

  async read(id: string, props: Props): Promise<dynamic.ReadResult> {
    const state = this.host.decoded(props);
    const seconds = secondsFor("read", state.hidden);
    const { secretPaths: secrets } = state;
    const seen = await this.resource.read({ id, state: stateIn(this.type, state), seconds, secrets });
    if (!seen) return {};
    const inputs = seen.inputs && propsOf(seen.inputs, state);
    return { id: seen.id, props: propsOf(seen.outputs, state), ...(inputs && { inputs }) };
  }

  async update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult> {
    const [state, inputs] = [this.host.decoded(olds), this.host.decoded(news)];
    const step = { ...this.stepOf(inputs, { operation: "update" }), options: differingOptions(state, inputs) };
    const made = await this.resource.update({ ...step, id, state: state.values, inputs: inputs.values });
    return { outs: outputsOrError(made, inputs) };
  }

  async delete(id: string, props: Props): Promise<void> {
    const state = this.host.decoded(props);
    await this.resource.delete({ ...this.stepOf(state, { operation: "delete" }), id, state: state.values });
  }

  /** Returns what check got of this resource, and the timeout of the operation. */
  private stepOf(
    { values, hidden, secretPaths }: Properties,
    { state = values, operation }: { state?: Values; operation?: Operation },
  ) {
    const { register } = this.host.service;
    const inState = { ...state, name: checkedName(state) };
    const origin =
      register.identified(this.identityOf(values, state)) ?? register.identified(this.identityInState(inState));
    const checked =
      origin === undefined
        ? {}
        : { origin, urn: urnOf(origin), oldInputs: register.resource(origin).checked?.oldInputs };
    return { ...checked, secrets: secretPaths, seconds: operation && secondsFor(operation, hidden) };
  }

  /**
   * Name and front door tell a resource from the others of its type; a connection has its tunnel's id instead of a name. A value that is not
   * known yet counts as the one in the state.
   */
  private identityOf(inputs: object, state: object): string {
    const names = ["frontdoorId", "name", "tunnelId"];
    const values = names.map((key) => valueOf(valueOf(inputs, key) === UNKNOWN ? state : inputs, key));
    return JSON.stringify([this.type, ...values]);
  }

  private identityInState(state: object): string {
    return `${this.identityOf(state, state)} in the state`;
  }
}

const urnOf = (origin: string): string => origin.slice(origin.indexOf("urn:"));

/** Returns which options the state of this adapter alone has, and that differ from the program's. */
const differingOptions = ({ hidden: olds }: Properties, { hidden: news }: Properties): string[] => [
  ...(isDeepStrictEqual(olds.__timeouts, news.__timeouts) ? [] : ["customTimeouts"]),
  ...(news.__provider !== undefined && olds.__provider === undefined ? ["provider"] : []),
];

const secondsFor = (operation: Operation, { __timeouts }: HiddenInputs): number | undefined =>
  durationSeconds(__timeouts?.[operation]);

/** Returns properties for the engine, with the hidden inputs that a state holds. */
function propsOf(
  values: object,
  { secrets, hidden: { __timeouts, __secrets = [] } }: Pick<Properties, "secrets" | "hidden">,
  alsoSecret: readonly string[] = [],
): Record<string, unknown> {
  const marked = [...alsoSecret, ...secretsWith(secrets)].filter((name) => valueOf(values, name) !== UNKNOWN);
  return encoded({ ...values, __timeouts, ...(__secrets.length > 0 && { __secrets }) }, marked);
}

/** Returns the outputs. @throws the error by which the engine keeps a resource that exists but is not ready. */
function outputsOrError({ id, outputs, unfinished: error }: Outcome<object>, inputs: Properties) {
  const outs = propsOf(outputs, inputs);
  if (!error) return outs;
  const { __provider } = inputs.hidden;
  throw Object.assign(error, { id, properties: { ...outs, __provider }, reasons: [error.message] });
}

/** The hosts of this process, by their configuration. */
const hosts = new Map<string, Host>();
const log = new EngineLog();

/** The engine shows a line of this process among the run's messages. */
const say = (line: string): Promise<void> =>
  new Promise((resolve) => {
    process.stderr.write(`${line}\n`, () => {
      resolve();
    });
  });

/** Returns the host of these settings and the environment. @throws FrontdoorError if the settings are wrong. */
function hostOf(settings: ReadSetting): Host {
  const config = readConfig(settings, process.env);
  if (hosts.size === 0) watchEngine(() => [...hosts.values()].map(({ service }) => service), say);
  const key = JSON.stringify(config);
  const host = hosts.get(key) ?? openHost(config, (line) => void say(line), log);
  hosts.set(key, host);
  return host;
}

/** The dynamic provider of each type of resource. The bundle exports each one by its name, which `__provider` has (sdk/dynamic.ts). */
export const handlers = Object.fromEntries(
  resourceTypes.map((type) => {
    const name = type.replace(/^Ipsec(.)/, (_, first: string) => first.toLowerCase());
    return [name, () => new DynamicAdapter(type, hostOf)];
  }),
);

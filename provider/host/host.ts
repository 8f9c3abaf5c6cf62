import type { Config } from "../config";
import { endOf } from "../credentials";
import { defined, has, UNKNOWN, valueOf } from "../fields/field";
import type { ResourceType } from "../fields/types";
import { openPool } from "../http/send";
import type { Common, Notes, ResourceLines } from "../lifecycle/contract";
import { propertyOf, within } from "../lifecycle/differences";
import { Resource } from "../lifecycle/lifecycle";
import { tokenExpired } from "../messages";
import { openService, type Service } from "../run/service";
import { resources } from "../resources";
import { recordFiles, recordFolder, sayOnce } from "../run/files";
import { systemClock } from "../time";

/** The resources of one service, for both of Pulumi's protocols. */
export class Host {
  readonly resources: Record<ResourceType, Resource<Common, Common>>;

  constructor(
    readonly service: Service,
    lines?: ResourceLines,
  ) {
    const { config, clock } = service;
    const endMs = endOf(config.credentials);
    if (endMs !== undefined && endMs < clock.wall()) service.say(tokenExpired(config.credentials.source, endMs));
    const made = Object.entries(resources).map(
      ([type, { lifecycle }]) => [type, new Resource(lifecycle(service), service, lines)] as const,
    );
    this.resources = Object.fromEntries(made) as typeof this.resources;
  }

  /** Decodes properties as the engine sends them. No message shows the secret ones from then on. */
  decoded(props: object | undefined): Properties {
    const properties = decoded(props);
    const { values, secrets, secretPaths } = properties;
    if (secretPaths.length === 0) return properties;
    const plain = defined(values, (name) => !secrets.includes(name));
    for (const path of secretPaths) this.service.secrets.addAll(valueAt(values, path), plain);
    return properties;
  }
}

/**
 * Returns the state that a read gets; undefined if an import or a `get` sends none, or only some properties. A state has a status if the
 * resource has one.
 */
export function stateIn(type: ResourceType, { values }: Properties): Values | undefined {
  const isState = Object.keys(values).length > 0 && has(values, "status") === has(resources[type].fields, "status");
  return isState ? values : undefined;
}

/** Opens the resources with this machine's clock, network and creation records. */
export function openHost(config: Config, say: (line: string) => void, lines: ResourceLines): Host {
  if (config.warning !== undefined) say(config.warning);
  const records = recordFiles(recordFolder(config.baseUrl, process.env), sayOnce(say));
  const transport = openPool(config.requestTimeoutMs);
  return new Host(openService({ config, clock: systemClock, transport, say, records }), lines);
}

/** The text by which the engine sends a value that is not known before the run. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const [secretKey, secretSignature] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/** The mark that stands beside the `value` of a secret. The engine encrypts an output that has the mark. */
const secretMark = { [secretKey]: secretSignature };

/** An operation whose timeout the user can give. */
export type Operation = "create" | "update" | "delete" | "read";

/**
 * Inputs that the classes add for the adapters (`sdk/`). The core gets none of them, but its own notes in the state, such as `__set`.
 */
export interface HiddenInputs {
  /** The text by which Pulumi's process finds this package. */
  __provider?: string;
  /** Organization and URN. Only check gets them: no state holds them. */
  __origin?: string;
  /** URN of the tunnel of a share or a set. Only check gets it: no state holds it. */
  __tunnel?: string;
  /** The option `retainOnDelete` of a tunnel, which the engine does not tell. Only check gets it: no state holds it. */
  __retained?: boolean;
  /**
   * Paths of the secret inputs, such as `target` or `shares["web"].target`: the engine does not tell a dynamic provider, and keeps for the
   * plugin only that `shares` has a secret.
   */
  __secrets?: string[];
  /** The custom timeouts: the engine does not tell a dynamic provider. */
  __timeouts?: Partial<Record<Operation, string>>;
}

const hiddenNames = ["__provider", "__origin", "__tunnel", "__retained", "__secrets", "__timeouts"];

/** The properties of a resource of any type as plain values, and as UNKNOWN those that are not known yet. The core checks them. */
export type Values = Record<string, unknown> & Common & Notes;

/** Properties that the engine has sent. */
export interface Properties {
  values: Values;
  /** Names of the properties that are or contain a secret. */
  secrets: string[];
  /** The paths of the secrets, as far as they are known. */
  secretPaths: string[];
  /** The plugin also gets some, in the state of a dynamic resource. */
  hidden: HiddenInputs;
}

/**
 * Decodes properties as the engine sends them. Of a set with a secret target, the state marks `shares`, `endpoints` and `__notes` as a whole,
 * and `__secrets` has `shares["web"].target`: then only that path is secret.
 */
export function decoded(props: object = {}): Properties {
  const [values, hidden] = [{} as Record<string, unknown>, {} as HiddenInputs & Record<string, unknown>];
  const marked: string[] = [];
  for (const [name, value] of Object.entries(props) as [string, unknown][])
    if (hiddenNames.includes(name)) hidden[name] = value;
    else if (value !== undefined) values[name] = decodedValue(value, name, marked);
  const { __secrets: noted = [] } = hidden;
  const notedWithin = noted.length === 0 ? [] : [...noted.map(propertyOf), ...madeOfShares];
  const others = marked.filter((path) => !notedWithin.includes(path));
  const secrets = [...new Set([...marked, ...noted].map(propertyOf))];
  return { values: values as Values, secrets, secretPaths: [...noted, ...others].flatMap(inBothSpellings), hidden };
}

/** The program can have given the alias, and check returns the name. */
const inBothSpellings = (path: string) => [
  path,
  ...(/(^|\.)envId$/.test(path) ? [path.replace(/envId$/, "envZId")] : []),
];

/** Outputs of a set that are marked as secret as a whole if one of its shares has a secret. */
const madeOfShares = ["endpoints", "__notes"];

/** Outputs that are always secret. */
const secretOutputs: readonly string[] = ["sampleConfig"];

/** Properties of a set that each of its shares repeats. */
const repeatedInShares = ["frontdoorId", "ipsecTunnelId", "envZId", "envId", "locationId"];

/** Returns the names of the secret properties: these inputs, outputs that are always secret, and those made from the inputs. */
export function secretsWith(secretInputs: readonly string[] = []): readonly string[] {
  if (secretInputs.length === 0) return secretOutputs;
  const isOfShares = ["shares", ...repeatedInShares].some((name) => secretInputs.includes(name));
  return [
    ...secretInputs,
    ...secretOutputs,
    ...(isOfShares ? ["shares", ...madeOfShares] : []),
    ...(secretInputs.includes("nlbDnsName") ? ["endpoints"] : []),
    ...(secretInputs.includes("adopt") ? ["__adopt"] : []),
  ];
}

/** Decodes the value at a path, and adds the paths of the secrets in it to `marked`. Within a secret, no other path counts. */
function decodedValue(value: unknown, path: string, marked: string[]): unknown {
  if (value === unknownText) return UNKNOWN;
  if (typeof value !== "object" || value === null) return value;
  if (valueOf(value, secretKey) === secretSignature) {
    marked.push(path);
    return decodedValue(valueOf(value, "value"), path, []);
  }
  const pathOf = (name: string) => (Array.isArray(value) ? path : within(path, name));
  return mapped(value, (part, name) => decodedValue(part, typeof part === "object" ? pathOf(name) : "", marked));
}

/** Returns the value at a path such as `target` or `shares["web"].target`. */
function valueAt(values: object, path: string): unknown {
  const [, key, field] = /\[("(?:[^"\\]|\\.)*")\](?:\.(\w+))?$/.exec(path) ?? [];
  const names = [propertyOf(path), ...(key === undefined ? [] : [JSON.parse(key) as string]), field];
  return names
    .filter((name) => name !== undefined)
    .reduce<unknown>((from, name) => (from === undefined ? from : valueOf(Object(from) as object, name)), values);
}

/**
 * Encodes properties as the engine reads them, without those that are undefined. The secret ones get the engine's mark, also where a value
 * repeats them: Pulumi 3.276 drops a dynamic resource's mark of a map that the inputs have without one, such as a set's `shares`.
 */
export const encoded = (values: object, secrets: readonly string[] = []): Record<string, unknown> =>
  mapped(values, (value, name) => {
    if (!secrets.includes(name)) return encodedValue(value, secrets);
    // The engine knows a secret of one share by the name in the program, which can be the alias.
    return { ...secretMark, value: encodedValue(value, name === "shares" ? [...secrets, "envZId"] : secrets) };
  }) as Record<string, unknown>;

function encodedValue(value: unknown, secrets: readonly string[]): unknown {
  if (value === UNKNOWN) return unknownText;
  return typeof value === "object" && value !== null ? encoded(value, secrets) : value;
}

/**
 * Returns a list or an object with each value as the function makes it, without the properties that are undefined. If that changes nothing,
 * it is the same one: most values of a large set stay as they are.
 */
function mapped(values: object, made: (value: unknown, name: string) => unknown): object {
  let copy: Record<string, unknown> | undefined;
  let hasUndefined = false;
  for (const name of Object.keys(values)) {
    const value = valueOf(values, name);
    hasUndefined ||= value === undefined;
    const next = value === undefined ? undefined : made(value, name);
    if (next === value) continue;
    copy ??= (Array.isArray(values) ? [...(values as unknown[])] : { ...values }) as Record<string, unknown>;
    copy[name] = next;
  }
  const all = copy ?? values;
  return hasUndefined ? defined(all) : all;
}

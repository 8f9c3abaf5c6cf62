import type { dynamic } from "@pulumi/pulumi";
import {
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  type ErrorResourceInitFailed,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { ResourceType } from "../../provider/fields/types";
import { DynamicAdapter } from "../../provider/host/dynamic";
import { Host } from "../../provider/host/host";
import type { ResourceLines } from "../../provider/lifecycle/contract";
import { PartlyCreated, PluginAdapter } from "../../provider/host/plugin";
import {
  type Answer,
  bare,
  type OpenAdapter,
  type Props,
  Secret,
  type Subject,
  UNKNOWN,
  type Kind,
  originOf,
} from "./program";

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secretMark = "4dabf18193072939515e22adb298388d";

const isMarked = (value: unknown): value is { value: unknown } =>
  typeof value === "object" && value !== null && secretMark in value;

/** Returns the properties for the dynamic provider, without marks of secrets. */
const sent = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, value === UNKNOWN ? unknownText : bare(value)]));

const holdsSecret = (value: unknown): boolean =>
  value instanceof Secret || (typeof value === "object" && value !== null && Object.values(value).some(holdsSecret));

/** Returns the paths of the secrets in a property: of the whole, of a key, or of an argument of a key. */
function secretPathsIn(value: unknown, path: string): string[] {
  if (value instanceof Secret) return [path];
  if (!isMap(value)) return [];
  const within = (key: string) => (path.endsWith("]") ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`);
  return Object.entries(value).flatMap(([key, part]) => secretPathsIn(part, within(key)));
}

/** Returns the properties in the engine's state. */
const received = (kind: Kind, props: object, before: Props): Props =>
  Object.fromEntries(
    Object.entries({ ...props, __provider: kind } as Props).map(([key, value]) => {
      if (value === undefined) throw new Error(`the engine can't read ${key}: it is undefined`);
      return [key, value === unknownText ? UNKNOWN : keptOf(JSON.parse(JSON.stringify(value)), before[key])];
    }),
  );

/**
 * A value is secret if the adapter marks it, or if it was secret before. Pulumi 3.276 drops the mark of a map that was there before, and
 * looks at each value in it.
 */
function keptOf(value: unknown, before: unknown): unknown {
  const plain = isMarked(value) ? value.value : value;
  if (isMap(plain) && isMap(before))
    return Object.fromEntries(Object.entries(plain).map(([key, part]) => [key, keptOf(part, before[key])]));
  return isMarked(value) || holdsSecret(before) ? new Secret(plain) : plain;
}

const isMap = (value: unknown): value is Props =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);

/** Returns the arguments as the class of a share gives them (sdk/arguments.ts). */
const inOneSpelling = (kind: Kind, { envId, ...others }: Props): Props =>
  kind !== "shares" || envId == null ? others : { ...others, envZId: envId };

/** Returns the hidden inputs that the resource's class adds (sdk/dynamic.ts). */
function hidden({ kind, urn, timeouts, tunnel }: Subject, news: Props): Props {
  const secrets = Object.entries(news).flatMap(([key, value]) => secretPathsIn(value, key));
  return {
    ...{ __provider: kind, __origin: originOf(urn) },
    ...(secrets.length > 0 && { __secrets: secrets }),
    ...(timeouts && { __timeouts: timeouts }),
    ...(tunnel !== undefined && { __tunnel: tunnel }),
  };
}

/** The error of a resource that exists but is not ready. */
function partlyMade(kind: Kind, error: unknown, before: Props): Answer {
  const { id, properties, reasons } = error as { id?: string; properties?: object; reasons?: string[] };
  if (id === undefined || properties === undefined) throw error;
  if (!reasons?.[0]) throw new Error("Pulumi keeps no resource as partly created without a reason");
  return { id, outputs: received(kind, properties, before), unfinished: error as Error };
}

function linesOf(add: (urn: string, line: string) => void = () => undefined): ResourceLines {
  const show = (urn: string, line: string) => {
    add(urn, line);
    return Promise.resolve();
  };
  return { show, showOnce: show, showProgress: show };
}

/** Calls the adapter of the dynamic provider as Pulumi's process does. */
export const dynamicAdapter: OpenAdapter = (service, setting, show) => {
  const host = new Host(service, linesOf(show));
  const adapterOf = (type: ResourceType) => new DynamicAdapter(type, () => host);
  const adapters = {
    tunnels: adapterOf("IpsecTunnel"),
    shares: adapterOf("IpsecShare"),
    sets: adapterOf("IpsecShareSet"),
    connections: adapterOf("IpsecTunnelConnection"),
  };
  const config = { get: setting } as dynamic.Config;
  for (const adapter of Object.values(adapters)) void adapter.configure({ config });
  return {
    async check(of, olds, news) {
      const { kind } = of;
      const spelled = inOneSpelling(kind, news);
      const given = { ...sent(spelled), ...hidden(of, spelled), ...sent(of.transformed ?? {}) };
      const checked = await adapters[kind].check(sent(olds), given);
      return { inputs: received(kind, checked.inputs as Props, spelled), failures: checked.failures ?? [] };
    },
    diff: ({ kind }, { id, outputs }, news) => adapters[kind].diff(id, sent(outputs), sent(news)),
    async create({ kind }, inputs) {
      try {
        const made = await adapters[kind].create(sent(inputs));
        return { id: made.id, outputs: received(kind, made.outs as Props, inputs) };
      } catch (error) {
        return partlyMade(kind, error, inputs);
      }
    },
    async read({ kind }, { id, inputs, outputs }) {
      const seen = await adapters[kind].read(id, sent(outputs));
      const [props, given] = [seen.props as Props | undefined, seen.inputs as Props | undefined];
      return props && { outputs: received(kind, props, outputs), inputs: given && received(kind, given, inputs) };
    },
    async update({ kind }, { id, outputs }, news) {
      try {
        const updated = await adapters[kind].update(id, sent(outputs), sent(news));
        return { id, outputs: received(kind, updated.outs as Props, news) };
      } catch (error) {
        return partlyMade(kind, error, news);
      }
    },
    delete: ({ kind }, { id, outputs }) => adapters[kind].delete(id, sent(outputs)),
  };
};

const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** As the engine sends them. */
const packed = (props: Props): Struct =>
  Struct.fromJavaScript(
    Object.fromEntries(
      Object.entries(props)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, spelled(value)]),
    ),
  );

function spelled(value: unknown): JavaScriptValue {
  if (value === UNKNOWN) return unknownText;
  if (value instanceof Secret) return { [secretMark]: secretSignature, value: spelled(value.value) };
  return mapped(value, spelled) as JavaScriptValue;
}

/** As the engine keeps them. */
const unpacked = (struct: Struct | undefined): Props =>
  Object.fromEntries(Object.entries(struct?.toJavaScript() ?? {}).map(([key, value]) => [key, read(value)]));

function read(value: JavaScriptValue): unknown {
  if (value === unknownText) return UNKNOWN;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { [secretMark]: mark, value: kept } = value as Record<string, JavaScriptValue>;
  return mark === secretSignature && kept !== undefined ? new Secret(read(kept)) : mapped(value, read);
}

const mapped = (value: unknown, change: (part: JavaScriptValue) => unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part as JavaScriptValue)]))
    : value;

const seconds = (text: string | undefined) =>
  text === undefined ? 0 : Number.parseFloat(text) * (text.endsWith("m") ? 60 : 1);

const [dynamicType, pluginType] = ["pulumi-nodejs:dynamic/frontdoor:", "frontdoor:index:"] as const;
/** The same resource under the plugin's own type. */
const urnOf = ({ urn }: Subject) => urn.replaceAll(dynamicType, pluginType);

/** The plugin's answer for a resource that exists but is not ready. */
async function made(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await answering;
  } catch (error) {
    if (!(error instanceof PartlyCreated)) throw error;
    return { ...partly(error.detail), unfinished: error };
  }
}

const partly = (detail: ErrorResourceInitFailed) => ({
  id: detail.getId(),
  outputs: unpacked(detail.getProperties()),
});

/** The plugin, called as the engine calls it over the wire. */
export const pluginAdapter: OpenAdapter = (service, setting, show) => {
  const lines = linesOf((urn, line) => show?.(urn.replaceAll(pluginType, dynamicType), line));
  const adapter = new PluginAdapter(() => new Host(service, lines), {});
  const given: Props = Object.fromEntries(
    ["baseUrl", "frontdoorId", "token"].map((key) => [key, setting(`frontdoor:${key}`)]),
  );
  adapter.configure(new ConfigureRequest().setArgs(packed({ ...given, token: given["token"] ?? "any" })));
  return {
    async check(of, olds, news) {
      const behind = of.tunnel === undefined ? {} : { __tunnel: urnOf({ kind: "tunnels", urn: of.tunnel }) };
      const given = packed({ ...news, ...of.transformed, ...behind });
      const checked = await adapter.check(new CheckRequest().setUrn(urnOf(of)).setOlds(packed(olds)).setNews(given));
      const failures = checked.getFailuresList().map((each) => ({
        property: each.getProperty(),
        reason: each.getReason(),
      }));
      return { inputs: unpacked(checked.getInputs()), failures };
    },
    async diff(of, { id, inputs, outputs }, news) {
      const request = new DiffRequest().setUrn(urnOf(of)).setId(id);
      const diff = await adapter.diff(
        request.setOldInputs(packed(inputs)).setOlds(packed(outputs)).setNews(packed(news)),
      );
      return {
        changes: diff.getChanges() === DiffResponse.DiffChanges.DIFF_SOME,
        replaces: diff.getReplacesList(),
        deleteBeforeReplace: diff.getDeletebeforereplace(),
        properties: [...diff.getDetaileddiffMap().keys()].map((property) => property.replace(/[.[].*/, "")),
      };
    },
    create(of, inputs) {
      const request = new CreateRequest().setUrn(urnOf(of)).setProperties(packed(inputs));
      const creating = adapter.create(request.setTimeout(seconds(of.timeouts?.create)));
      return made(creating.then((each) => ({ id: each.getId(), outputs: unpacked(each.getProperties()) })));
    },
    async read(of, { id, inputs, outputs }) {
      const request = new ReadRequest().setUrn(urnOf(of)).setId(id).setInputs(packed(inputs));
      try {
        request.setTimeout(seconds(of.timeouts?.read));
        const seen = await adapter.read(request.setProperties(packed(outputs)));
        if (seen.getId() === "") return undefined;
        const given = seen.getInputs();
        return { outputs: unpacked(seen.getProperties()), inputs: given && unpacked(given) };
      } catch (error) {
        if (!(error instanceof PartlyCreated)) throw error;
        const { detail } = error;
        return {
          ...{ outputs: unpacked(detail.getProperties()), inputs: unpacked(detail.getInputs()) },
          isPartial: true,
        };
      }
    },
    update(of, { id, inputs, outputs }, news) {
      const request = new UpdateRequest().setUrn(urnOf(of)).setId(id).setTimeout(seconds(of.timeouts?.update));
      const updating = adapter.update(
        request.setOldInputs(packed(inputs)).setOlds(packed(outputs)).setNews(packed(news)),
      );
      return made(updating.then((each) => ({ id, outputs: unpacked(each.getProperties()) })));
    },
    cancel() {
      service.stop();
    },
    async delete(of, { id, outputs }) {
      const request = new DeleteRequest().setUrn(urnOf(of)).setId(id).setTimeout(seconds(of.timeouts?.delete));
      await adapter.delete(request.setProperties(packed(outputs)));
    },
  };
};

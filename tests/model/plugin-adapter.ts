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
import { silent } from "../../provider/engine/engine";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { PluginAdapter } from "../../provider/plugin/adapter";
import { PartlyCreated } from "../../provider/plugin/server";
import { type Answer, type OpenAdapter, type Props, Secret, type Subject, UNKNOWN } from "./adapter";

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secretMark = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** As the engine sends them. */
const sent = (props: Props): Struct =>
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
  return value as JavaScriptValue;
}

/** As the engine keeps them. */
const received = (struct: Struct | undefined): Props =>
  Object.fromEntries(Object.entries(struct?.toJavaScript() ?? {}).map(([key, value]) => [key, read(value)]));

function read(value: JavaScriptValue): unknown {
  if (value === unknownText) return UNKNOWN;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { [secretMark]: mark, value: kept } = value as Record<string, JavaScriptValue>;
  return mark === secretSignature && kept !== undefined ? new Secret(read(kept)) : value;
}

const seconds = (text: string | undefined) =>
  text === undefined ? 0 : Number.parseFloat(text) * (text.endsWith("m") ? 60 : 1);

/** The same resource under the plugin's own type. */
const urnOf = ({ urn }: Subject) => urn.replaceAll("pulumi-nodejs:dynamic/frontdoor:", "frontdoor:index:");

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
  outputs: received(detail.getProperties()),
});

/** The plugin, called as the engine calls it over the wire. */
export const pluginAdapter: OpenAdapter = (service, setting) => {
  const adapter = new PluginAdapter({ open: () => service, environment: {}, ...silent });
  const given: Props = Object.fromEntries(
    ["baseUrl", "frontdoorId", "token"].map((key) => [key, setting(`frontdoor:${key}`)]),
  );
  adapter.configure(new ConfigureRequest().setArgs(sent({ ...given, token: given["token"] ?? "any" })));
  return {
    check(of, olds, news) {
      const given = sent({ ...news, ...(of.isUp === true && { __isUp: true }) });
      const checked = adapter.check(new CheckRequest().setUrn(urnOf(of)).setOlds(sent(olds)).setNews(given));
      const failures = checked.getFailuresList().map((each) => ({
        property: each.getProperty(),
        reason: each.getReason(),
      }));
      return Promise.resolve({ inputs: received(checked.getInputs()), failures });
    },
    async diff(of, { id, inputs, outputs }, news) {
      const request = new DiffRequest().setUrn(urnOf(of)).setId(id);
      const diff = await adapter.diff(request.setOldInputs(sent(inputs)).setOlds(sent(outputs)).setNews(sent(news)));
      return {
        changes: diff.getChanges() === DiffResponse.DiffChanges.DIFF_SOME,
        replaces: diff.getReplacesList(),
        deleteBeforeReplace: diff.getDeletebeforereplace(),
      };
    },
    create(of, inputs) {
      const request = new CreateRequest().setUrn(urnOf(of)).setProperties(sent(inputs));
      const creating = adapter.create(request.setTimeout(seconds(of.timeouts?.create)));
      return made(creating.then((each) => ({ id: each.getId(), outputs: received(each.getProperties()) })));
    },
    async read(of, { id, inputs, outputs }) {
      const request = new ReadRequest().setUrn(urnOf(of)).setId(id).setInputs(sent(inputs));
      try {
        const seen = await adapter.read(request.setProperties(sent(outputs)));
        if (seen.getId() === "") return undefined;
        const given = seen.getInputs();
        return { outputs: received(seen.getProperties()), inputs: given && received(given) };
      } catch (error) {
        if (!(error instanceof PartlyCreated)) throw error;
        const { detail } = error;
        return {
          ...{ outputs: received(detail.getProperties()), inputs: received(detail.getInputs()) },
          isPartial: true,
        };
      }
    },
    update(of, { id, inputs, outputs }, news) {
      const request = new UpdateRequest().setUrn(urnOf(of)).setId(id).setTimeout(seconds(of.timeouts?.update));
      const updating = adapter.update(request.setOldInputs(sent(inputs)).setOlds(sent(outputs)).setNews(sent(news)));
      return made(updating.then((each) => ({ id, outputs: received(each.getProperties()) })));
    },
    cancel() {
      service.stop();
    },
    async delete(of, { id, outputs }) {
      const request = new DeleteRequest().setUrn(urnOf(of)).setId(id).setTimeout(seconds(of.timeouts?.delete));
      await adapter.delete(request.setProperties(sent(outputs)));
    },
  };
};

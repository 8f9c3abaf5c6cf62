import { createRequire } from "node:module";

const unitSeconds = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3_600 } as const;

/** Seconds of a duration as `customTimeouts` takes it (`"90s"`, `"1h30m"`); undefined where it is none. */
export function durationSeconds(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h)){1,7}$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * unitSeconds[unit as keyof typeof unitSeconds],
    0,
  );
}

export interface Timed {
  /** The custom timeouts, as the resource's class has noted them. */
  __timeouts?: Partial<Record<"create" | "update" | "delete", string>>;
  /** The timeout of the engine's request, of a create. */
  __timeoutSeconds?: number;
}

/** The timeout of the update or delete that is handed on right now: what is at hand of it by then are its properties as they were. */
let handedOnSeconds = 0;

/** How long an operation may take, as far as the user says: by the engine's request, else by what the resource's class has noted. */
export function timeoutSeconds(
  { __timeoutSeconds = 0, __timeouts }: Timed,
  operation: "create" | "update" | "delete",
): number | undefined {
  const seconds = operation === "create" ? __timeoutSeconds : handedOnSeconds;
  return seconds > 0 ? seconds : durationSeconds(__timeouts?.[operation]);
}

/** The parts of Pulumi's protocol buffers that are needed. */
interface Value {
  setNumberValue(value: number): void;
  getStringValue(): string;
}
interface Request {
  getTimeout(): number;
  getId: (this: Request) => string;
  getProperties: (this: Request) => { getFieldsMap(): Map<string, Value> } | undefined;
}
type Types = Record<"CreateRequest" | "UpdateRequest" | "DeleteRequest", { prototype: Request }>;

/**
 * The engine tells every create, update and delete its timeout, also one that a transformation has set, but Pulumi's dynamic host
 * does not hand it on. So it is put among the properties of a create as that host takes them out of the request. The first request
 * of a process can be an update or a delete, and its properties are out before this is called: of those it is noted as the host takes
 * out the id, right before it hands them on. In a host made otherwise what the class has noted stays.
 */
export function passTimeoutsOn(): void {
  try {
    const ofHost = createRequire(require.main?.filename ?? "");
    const types = ofHost("@pulumi/pulumi/proto/provider_pb.js") as Types;
    const { Value } = ofHost("google-protobuf/google/protobuf/struct_pb.js") as { Value: new () => Value };
    const { getProperties } = types.CreateRequest.prototype;
    types.CreateRequest.prototype.getProperties = function (this: Request) {
      const properties = getProperties.call(this);
      const fields = properties?.getFieldsMap();
      if (!fields?.get("__provider")?.getStringValue().includes("pulumi-frontdoor/dynamic")) return properties;
      const seconds = new Value();
      seconds.setNumberValue(this.getTimeout());
      fields.set("__timeoutSeconds", seconds);
      return properties;
    };
    for (const { prototype } of [types.UpdateRequest, types.DeleteRequest]) {
      const { getId } = prototype;
      prototype.getId = function (this: Request) {
        handedOnSeconds = this.getTimeout();
        return getId.call(this);
      };
    }
  } catch {
    // Another host.
  }
}

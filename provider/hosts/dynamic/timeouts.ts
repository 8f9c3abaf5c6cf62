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
  /** The timeout of the engine's request. */
  __timeoutSeconds?: number;
}

/** How long an operation may take, as far as the user says: by the engine's request, else by what the resource's class has noted. */
export function timeoutSeconds(
  { __timeoutSeconds = 0, __timeouts }: Timed,
  operation: "create" | "update" | "delete",
): number | undefined {
  return __timeoutSeconds > 0 ? __timeoutSeconds : durationSeconds(__timeouts?.[operation]);
}

/** By what Pulumi's dynamic host takes the properties out of each request. */
const getters = [
  ["CreateRequest", "getProperties"],
  ["UpdateRequest", "getNews"],
  ["DeleteRequest", "getProperties"],
] as const;
type RequestName = (typeof getters)[number][0];

/** The parts of Pulumi's protocol buffers that are needed. */
interface Value {
  setNumberValue(value: number): void;
  getStringValue(): string;
}
type Properties = { getFieldsMap(): Map<string, Value> } | undefined;
type Request = { getTimeout(): number } & Record<"getProperties" | "getNews", () => Properties>;

/**
 * The engine tells every create, update and delete its timeout, also one that a transformation has set, but Pulumi's dynamic host
 * does not hand it on. So it is put among the properties as that host takes them out of the request. In a host made otherwise what
 * the class has noted stays.
 */
export function passTimeoutsOn(): void {
  try {
    const ofHost = createRequire(require.main?.filename ?? "");
    const types = ofHost("@pulumi/pulumi/proto/provider_pb.js") as Record<RequestName, { prototype: Request }>;
    const { Value } = ofHost("google-protobuf/google/protobuf/struct_pb.js") as { Value: new () => Value };
    for (const [name, getter] of getters) {
      const { prototype } = types[name];
      const original = prototype[getter];
      prototype[getter] = function (this: Request) {
        const properties = original.call(this);
        const fields = properties?.getFieldsMap();
        if (!fields?.get("__provider")?.getStringValue().includes("pulumi-frontdoor/dynamic")) return properties;
        const seconds = new Value();
        seconds.setNumberValue(this.getTimeout());
        fields.set("__timeoutSeconds", seconds);
        return properties;
      };
    }
  } catch {
    // Another host.
  }
}

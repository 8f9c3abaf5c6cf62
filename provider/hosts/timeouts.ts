import { createRequire } from "node:module";

const unitsMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a duration as `customTimeouts` takes it (`"90s"`, `"1h30m"`); undefined where it is none. */
export function durationMs(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h)){1,7}$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * unitsMs[unit as keyof typeof unitsMs], 0);
}

/** Under this key a request's properties hold its timeout in seconds. */
const heard = "__timeoutSeconds";

interface Timed {
  __timeouts?: Partial<Record<"create" | "update" | "delete", string>>;
  [heard]?: number;
}

/** How long an operation may take, as far as the user says: by the engine's request, else by what the resource's class has noted. */
export const timeoutMs = (props: Timed, operation: "create" | "update" | "delete"): number | undefined =>
  (props[heard] ?? 0) > 0 ? (props[heard] ?? 0) * 1000 : durationMs(props.__timeouts?.[operation]);

/** The parts of Pulumi's protocol buffers that are needed. */
interface Struct {
  getFieldsMap(): { get(key: string): { getStringValue(): string } | undefined; set(key: string, value: object): void };
}
type Request = { getTimeout(): number } & Record<string, () => Struct | undefined>;
interface Value {
  setNumberValue(value: number): void;
}

let isHearing = false;

/**
 * The engine tells every create, update and delete its timeout, by transformations too, but Pulumi's dynamic host does not hand
 * it on: from here on it is among the properties of our resources. In a host made otherwise the noted timeouts stay.
 */
export function hearTimeouts(): void {
  if (isHearing || !require.main) return;
  isHearing = true;
  try {
    const ofHost = createRequire(require.main.filename);
    const requests = ofHost("@pulumi/pulumi/proto/provider_pb.js") as Record<string, { prototype: Request }>;
    const { Value: makeValue } = ofHost("google-protobuf/google/protobuf/struct_pb.js") as { Value: new () => Value };
    for (const [name, getter] of timed) {
      const { prototype } = requests[name] ?? {};
      const original = prototype?.[getter];
      if (!prototype || !original) continue;
      prototype[getter] = function (this: Request) {
        const struct = original.call(this);
        const fields = struct?.getFieldsMap();
        if (fields?.get("__provider")?.getStringValue().includes("pulumi-frontdoor/dynamic")) {
          const seconds = new makeValue();
          seconds.setNumberValue(this.getTimeout());
          fields.set(heard, seconds);
        }
        return struct;
      };
    }
  } catch {
    return;
  }
}

const timed = [
  ["CreateRequest", "getProperties"],
  ["UpdateRequest", "getNews"],
  ["DeleteRequest", "getProperties"],
] as const;

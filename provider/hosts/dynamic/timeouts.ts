import { createRequire } from "node:module";

const unitsMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a duration as `customTimeouts` takes it (`"90s"`, `"1h30m"`); undefined where it is none. */
export function durationMs(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h)){1,7}$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * unitsMs[unit as keyof typeof unitsMs], 0);
}

/** Under this key the properties of a create hold its timeout in seconds. */
const heardOfCreate = "__timeoutSeconds";
/** Of the update or delete that is just handed on. */
let heardSeconds = 0;

interface Timed {
  __timeouts?: Partial<Record<"create" | "update" | "delete", string>>;
  [heardOfCreate]?: number;
}

/** How long an operation may take, as far as the user says: by the engine's request, else by what the resource's class has noted. */
export function timeoutMs(props: Timed, operation: "create" | "update" | "delete"): number | undefined {
  const seconds = operation === "create" ? (props[heardOfCreate] ?? 0) : heardSeconds;
  return seconds > 0 ? seconds * 1000 : durationMs(props.__timeouts?.[operation]);
}

/** The parts of Pulumi's protocol buffers that are needed. */
interface Request {
  getTimeout(): number;
  getId(): string;
  getProperties(): { getFieldsMap(): Map<string, { getStringValue(): string }> } | undefined;
}
interface NumberValue {
  setNumberValue(value: number): void;
  getStringValue(): string;
}

/**
 * The engine tells every create, update and delete its timeout, also one that a transformation has set, but Pulumi's dynamic host
 * does not hand it on. Its request is heard in passing: where a create's properties are taken out, and the id of the others, just
 * before they are handed on. In a host made otherwise what the class has noted stays.
 */
export function hearTimeouts(): void {
  if (isHearing || !require.main) return;
  isHearing = true;
  try {
    const ofHost = createRequire(require.main.filename);
    const requests = ofHost("@pulumi/pulumi/proto/provider_pb.js") as Record<
      string,
      { prototype: Request } | undefined
    >;
    const { Value } = ofHost("google-protobuf/google/protobuf/struct_pb.js") as { Value: new () => NumberValue };
    hear(requests["CreateRequest"], "getProperties", (request, properties) => {
      const fields = properties?.getFieldsMap();
      if (!fields?.get("__provider")?.getStringValue().includes("pulumi-frontdoor/dynamic")) return;
      const seconds = new Value();
      seconds.setNumberValue(request.getTimeout());
      fields.set(heardOfCreate, seconds);
    });
    for (const name of ["UpdateRequest", "DeleteRequest"])
      hear(requests[name], "getId", (request) => {
        heardSeconds = request.getTimeout();
      });
  } catch {
    // Another host.
  }
}

let isHearing = false;

function hear<Getter extends "getId" | "getProperties">(
  type: { prototype: Request } | undefined,
  getter: Getter,
  listen: (request: Request, value: ReturnType<Request[Getter]>) => void,
): void {
  if (!type) return;
  const original = type.prototype[getter] as (this: Request) => ReturnType<Request[Getter]>;
  const heard = function (this: Request) {
    const value = original.call(this);
    listen(this, value);
    return value;
  };
  type.prototype[getter] = heard as Request[Getter];
}

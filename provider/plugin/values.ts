import { type JavaScriptValue, ListValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { UNKNOWN } from "../fields/field";
import { isHidden, secretMark, unknownText } from "../engine/encoding";

/** Properties in plain values, unknown ones UNKNOWN wherever they are, and the names of those that hold a secret. */
export interface Properties {
  values: Record<string, unknown>;
  secrets: string[];
}

/** Properties as the engine sends them. */
export function decoded(struct: Struct | undefined): Properties {
  const secrets: string[] = [];
  const plain = (value: unknown, name: string): unknown => {
    if (value === unknownText) return UNKNOWN;
    if (Array.isArray(value)) return value.map((each) => plain(each, name));
    if (typeof value !== "object" || value === null) return value;
    if (isSecret(value)) {
      secrets.push(name);
      return plain(value.value, name);
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each, name)]));
  };
  const sent = Object.entries(struct?.toJavaScript() ?? {}).filter(([name]) => !isHidden(name));
  return { values: Object.fromEntries(sent.map(([name, value]) => [name, plain(value, name)])), secrets };
}

const isSecret = (value: object): value is { value: unknown } =>
  Object.entries(secretMark).every(([key, signature]) => (value as Record<string, unknown>)[key] === signature);

/** Properties as the engine reads them: none undefined, unknown ones in its spelling, those of these names marked as secrets. */
export function encoded(values: object, secrets: readonly string[] = []): Struct {
  const struct = new Struct();
  for (const [name, value] of Object.entries(values) as [string, unknown][])
    if (value !== undefined)
      struct.getFieldsMap().set(name, encodedValue(secrets.includes(name) ? { ...secretMark, value } : value));
  return struct;
}

/** Made of the value itself: a copy in between would be as large as the properties of thousands of shares. */
function encodedValue(value: unknown): Value {
  if (Array.isArray(value)) return new Value().setListValue(new ListValue().setValuesList(value.map(encodedValue)));
  if (typeof value === "object" && value !== null) return new Value().setStructValue(encoded(value));
  return Value.fromJavaScript((value === UNKNOWN ? unknownText : value) as JavaScriptValue);
}

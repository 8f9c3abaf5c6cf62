import { type JavaScriptValue, ListValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { UNKNOWN } from "../fields/field";
import { decodedValue, isHidden, secretMark, unknownText } from "../engine/encoding";

/** Properties as plain values, unknown ones as UNKNOWN, and the names of those that are or contain a secret. */
export interface Properties {
  values: Record<string, unknown>;
  secrets: string[];
}

/** Returns the properties that the engine sends. */
export function decoded(struct: Struct | undefined): Properties {
  const secrets: string[] = [];
  const values = Object.entries(struct?.toJavaScript() ?? {})
    .filter(([name]) => !isHidden(name))
    .map(([name, value]) => [name, decodedValue(value, () => secrets.push(name))] as const);
  return { values: Object.fromEntries(values), secrets };
}

/** Returns properties as the engine reads them: none is undefined, and those of these names have the engine's mark of a secret. */
export function encoded(values: object, secrets: readonly string[] = []): Struct {
  const struct = new Struct();
  for (const [name, value] of Object.entries(values) as [string, unknown][])
    if (value !== undefined)
      struct.getFieldsMap().set(name, encodedValue(secrets.includes(name) ? { ...secretMark, value } : value));
  return struct;
}

/** Builds the message from the value itself: a copy would be as large as the properties of thousands of shares. */
function encodedValue(value: unknown): Value {
  if (Array.isArray(value)) return new Value().setListValue(new ListValue().setValuesList(value.map(encodedValue)));
  if (typeof value === "object" && value !== null) return new Value().setStructValue(encoded(value));
  return Value.fromJavaScript((value === UNKNOWN ? unknownText : value) as JavaScriptValue);
}

import { labelOf } from "./words.js";

/** Returns a key such as `tunnel/fd-1/tnl-1`, because two front doors can have equal ids. The key is also the page's address of a selection. */
export const keyOf = (kind, { frontdoorId, id }) => `${kind}/${frontdoorId}/${id}`;

/** Returns the differences between two lists of one kind, one text each. */
export function changesBetween(kind, before, after) {
  const old = new Map(before.map((entry) => [keyOf(kind, entry), entry]));
  const changes = after.flatMap((entry) => {
    const key = keyOf(kind, entry);
    const was = old.get(key);
    old.delete(key);
    const text = was ? difference(was, entry) : `new, ${entry.status}`;
    return text === "" ? [] : [{ key, kind, name: entry.name, text }];
  });
  const gone = [...old].map(([key, { name }]) => ({ key, kind, name, text: "gone" }));
  return [...changes, ...gone];
}

/** Returns the differences in the connections of tunnels that both views know. */
export function connectionChanges(before, after, wordOf) {
  return Object.entries(after).flatMap(([key, connection]) => {
    const [was, is] = [wordOf(before[key]), wordOf(connection)];
    return was === undefined || was === is ? [] : [{ key, kind: "connection", text: `connection ${was} → ${is}` }];
  });
}

function difference(was, is) {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]),
  );
  const told = fields.map((field) => {
    const change = `${was[field] ?? "none"} → ${is[field] ?? "none"}`;
    return field === "status" ? change : `${labelOf(field)} ${change}`;
  });
  return told.join(", ");
}

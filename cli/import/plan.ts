import { type Field, isArgument, isVisible, valueOf } from "../../provider/fields/field";
import type { ShareResult, TunnelResult } from "../../provider/functions/results";
import { type Declared, type KindName, kinds, type Value } from "./declared";
import { logicalNames } from "./names";

/** A resource that a program can't declare, with the reason. */
export interface LeftOut {
  kind: KindName;
  id: string;
  name: string;
  reason: string;
}

/** The resources that a program can declare: tunnels first, then by name. */
export interface Plan {
  declared: Declared[];
  leftOut: LeftOut[];
  /** Declared, but the next `pulumi up` has something to do for it. */
  notReady: { kind: KindName; id: string; name: string; status: string }[];
}

type Entry = { kind: KindName; args: [string, Value][]; wrong: string[] } & (TunnelResult | ShareResult);

/**
 * Returns the arguments for the values that the service shows. If the provider's check refuses a value, it tries another spelling with
 * the same meaning. Without a valid spelling it leaves out an argument that may be omitted. Any other argument is wrong.
 */
function argsOf(table: Readonly<Record<string, Field>>, seen: object): Pick<Entry, "args" | "wrong"> {
  const args: [string, Value][] = [];
  const wrong: string[] = [];
  for (const [name, field] of Object.entries(table)) {
    const value = valueOf(seen, name);
    if (!isArgument(field) || !isVisible(field) || value === undefined) continue;
    const canonical = typeof value === "string" ? field.meaning?.(value) : undefined;
    const right = [value, canonical].map((each) => field.is.safeParse(each)).find(({ success }) => success);
    if (right?.success && (typeof right.data === "string" || typeof right.data === "number"))
      args.push([name, right.data]);
    else if (field.whenOmitted !== "unchanged")
      wrong.push(`${name} ${field.is.safeParse(value).error?.issues[0]?.message ?? "is wrong"}`);
  }
  return { args, wrong };
}

/** Returns the reason why a program can't declare this resource besides the resources before it. */
function reasonAgainst({ kind, name, wrong }: Entry, before: Entry[]): string | undefined {
  if (wrong.length > 0) return `the provider refuses it: ${wrong.join("; ")}`;
  const holder = before.find((other) => other.kind === kind && other.name === name);
  if (!holder) return undefined;
  return `${holder.id} has the same name. Rename one of them, or import it to another stack (--filter id=…)`;
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);

/** Plans the declarations. `elsewhere` is a front door that no configuration names, so ids and arguments name it. */
export function planOf(tunnels: TunnelResult[], shares: ShareResult[], elsewhere?: string): Plan {
  const entryOf = (kind: KindName) => (seen: TunnelResult | ShareResult) => ({
    ...seen,
    ...argsOf(kinds[kind].table, seen),
    kind,
  });
  const all: Entry[] = [...tunnels.map(entryOf("tunnel")), ...shares.map(entryOf("share"))]
    .filter(({ status }) => status !== "DELETING" && status !== "DELETED")
    .sort((a, b) => byText(a.id, b.id));

  const kept: Entry[] = [];
  const leftOut: LeftOut[] = [];
  for (const entry of all) {
    const { kind, id, name } = entry;
    const reason = reasonAgainst(entry, kept);
    if (reason === undefined) kept.push(entry);
    else leftOut.push({ kind, id, name, reason });
  }

  const names = logicalNames(kept);
  const tunnelNames = new Map(kept.flatMap(({ kind, id }, index) => (kind === "tunnel" ? [[id, names[index]]] : [])));
  const declared = kept.map(({ kind, id, args }, index): Declared => {
    const linked = args.map(([name, value]): [string, Value] => {
      const tunnel = name === "ipsecTunnelId" && typeof value === "string" ? tunnelNames.get(value) : undefined;
      return [name, tunnel === undefined ? value : { tunnel }];
    });
    return {
      ...{ kind, name: names[index] ?? id },
      importId: elsewhere === undefined ? id : `${elsewhere}/${id}`,
      args: elsewhere === undefined ? linked : [...linked, ["frontdoorId", elsewhere]],
    };
  });
  const isTunnel = ({ kind }: Declared) => (kind === "tunnel" ? 0 : 1);
  declared.sort((a, b) => isTunnel(a) - isTunnel(b) || byText(a.name, b.name));
  const notReady = kept.flatMap(({ kind, id, name, status }) =>
    status === "DEPLOYED" ? [] : { kind, id, name, status },
  );
  return { declared, leftOut, notReady };
}

import { failed, problemIn, troubleOf } from "../provider/errors";
import type { Reads } from "../provider/functions/reads";
import type { ShareResult, TunnelResult } from "../provider/functions/results";
import { Misuse } from "./outcome";

export type Found = { kind: "tunnel"; entry: TunnelResult } | { kind: "share"; entry: ShareResult };
type Kind = Found["kind"];

/** Returns the only resource of these kinds with this id, or else with this name. @throws FrontdoorError `failed` if there is none, Misuse if there are two. */
export async function find(reads: Reads, kinds: readonly Kind[], text: string, frontdoorId: string): Promise<Found> {
  const problems: string[] = [];
  for (const by of ["id", "name"]) {
    const tries = await Promise.all(kinds.map((kind) => attempt(reads, kind, { [by]: text, frontdoorId })));
    const found = tries.filter((each) => typeof each !== "string");
    if (found.length > 1) throw new Misuse(`${text} is a tunnel and a share. Choose one with --kind. [ambiguous-name]`);
    if (found[0]) return found[0];
    if (by === "name") problems.push(...tries.filter((each) => typeof each === "string"));
  }
  const last = problems.pop() ?? "";
  throw failed([`${text}: no resource has this id.`, ...problems.map((each) => `${problemIn(each)}.`), last].join(" "));
}

export const findTunnel = async (reads: Reads, text: string, frontdoorId: string): Promise<TunnelResult> =>
  (await find(reads, ["tunnel"], text, frontdoorId)).entry as TunnelResult;

export const findShare = async (reads: Reads, text: string, frontdoorId: string): Promise<ShareResult> =>
  (await find(reads, ["share"], text, frontdoorId)).entry as ShareResult;

/** Returns the resource, or the reason why there is none. */
async function attempt(reads: Reads, kind: Kind, args: object): Promise<Found | string> {
  try {
    return kind === "tunnel"
      ? { kind, entry: await reads.getTunnel(args) }
      : { kind, entry: await reads.getShare(args) };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble?.kind !== "failed" || trouble.beforeSending) throw error;
    return (error as Error).message;
  }
}

import type { Draft, Edit } from "./draft";
import { pickShare } from "./edits-fields";
import { pickFree } from "./edits-identity";
import type { Random } from "../harness/random";
import type { Args, Options, Program } from "./schedule";

/** Gives a resource an option, or takes it away again. */
function toggled(key: keyof Options, value: (kind: "tunnels" | "shares", random: Random) => Options[typeof key]) {
  return (random: Random, { program }: Draft): boolean => {
    const picked = pickFree(random, program);
    if (!picked) return false;
    const [kind, , args] = picked;
    if (args.opts?.[key] !== undefined) Reflect.deleteProperty(args.opts, key);
    else args.opts = { ...args.opts, [key]: value(kind, random) };
    return true;
  };
}

/** Another value for what an option speaks of, in the same edit: alone it would do nothing. */
function change(random: Random, kind: "tunnels" | "shares", args: Args): void {
  if (kind === "shares") args["target"] = `changed-${random.upTo(999)}.internal:8443`;
  else args["peerCidr"] = `10.${200 + random.upTo(50)}.0.0/16`;
}

const withChange =
  (options: (kind: "tunnels" | "shares") => Options): Edit["make"] =>
  (random, { program, before }) => {
    const picked = pickFree(random, program);
    if (!picked || !before[picked[0]][picked[1]]) return false;
    const [kind, , args] = picked;
    args.opts = { ...args.opts, ...options(kind) };
    change(random, kind, args);
    return true;
  };

const names = ({ tunnels, shares }: Program) => [...Object.keys(tunnels), ...Object.keys(shares)];

const flagged =
  (flag: "replace" | "target" | "exclude"): Edit["make"] =>
  (random, { program, before, step }) => {
    const known = names(program).filter((name) => names(before).includes(name));
    if (known.length === 0 || step.flags) return false;
    step.flags = { [flag]: [random.pick(known)] };
    return true;
  };

/** Pulumi's own options, on a resource and on a command. */
export const optionEdits: Record<string, Edit> = {
  protect: { weight: 2, make: toggled("protect", () => true) },
  retainOnDelete: { weight: 2, make: toggled("retainOnDelete", () => true) },
  ignoreChanges: {
    weight: 2,
    make: withChange((kind) => ({ ignoreChanges: [kind === "shares" ? "target" : "peerCidr"] })),
  },
  replaceOnChanges: {
    weight: 2,
    make: withChange((kind) => ({ replaceOnChanges: [kind === "shares" ? "target" : "peerCidr"] })),
  },
  "deleteBeforeReplace true": { weight: 2, make: withChange(() => ({ deleteBeforeReplace: true })) },
  "deleteBeforeReplace false": { weight: 1, make: withChange(() => ({ deleteBeforeReplace: false })) },
  deletedWith: {
    weight: 1,
    make: (random, { program }) => {
      const picked = pickShare(random, program);
      if (!picked || picked[1].opts?.place?.startsWith("site:")) return false;
      const [, args] = picked;
      args.opts = { ...args.opts, deletedWith: args["ipsecTunnelId"] as { tunnel: string } };
      return true;
    },
  },
  "--replace": { weight: 3, make: flagged("replace") },
  "--target": { weight: 2, make: flagged("target") },
  "--exclude": { weight: 1, make: flagged("exclude") },
};

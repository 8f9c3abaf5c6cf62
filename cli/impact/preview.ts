import { execFile } from "node:child_process";
import { buffer } from "node:stream/consumers";
import * as z from "zod";
import { safeText } from "../../provider/errors";
import { textIn } from "../../provider/text";
import { onPath, readText } from "../shared/files";
import type { Io } from "../shared/io";
import { Misuse } from "../shared/outcome";

const properties = z.record(z.string(), z.unknown());
const state = z.object({
  id: z.string().optional(),
  inputs: properties.default({}),
  outputs: properties.default({}),
  retainOnDelete: z.boolean().default(false),
  pendingReplacement: z.boolean().default(false),
});

/** The operations of Pulumi's steps, and the states that a step with each must have. */
const needsOf = {
  same: [],
  create: ["newState"],
  update: ["oldState", "newState"],
  replace: ["oldState", "newState"],
  delete: ["oldState"],
  import: ["newState"],
  "import-replacement": [],
  read: [],
  "read-replacement": [],
  "create-replacement": [],
  "delete-replaced": ["oldState"],
  "remove-pending-replace": [],
  discard: [],
  "discard-replaced": [],
} satisfies Record<string, ("oldState" | "newState")[]>;

type Operation = keyof typeof needsOf;
const operations = Object.keys(needsOf) as [Operation, ...Operation[]];

const step = z
  .object({
    op: z.enum(operations),
    urn: z.string().regex(/^urn:pulumi:.*::.*::.*::/),
    oldState: state.optional(),
    newState: state.optional(),
    replaceReasons: z.array(z.string()).nullish(),
  })
  .refine((each) => needsOf[each.op].every((name) => each[name] !== undefined), "a step lacks its state");

const preview = z.object({
  config: z.record(z.string(), z.string()).default({}),
  steps: z.array(step),
  changeSummary: z.record(z.string(), z.number()),
  diagnostics: z.array(z.object({ severity: z.string(), message: z.string() })).default([]),
});

export interface Preview extends z.output<typeof preview> {
  /** False if Pulumi lists no share that leaves the program while its tunnel is replaced delete first. */
  isComplete: boolean;
  /** False if resources that do not change are missing, as without `--show-sames`. */
  hasUnchanged: boolean;
}
export type Step = z.output<typeof step>;

const previewOptions = ["--json", "--show-sames", "--show-replacement-steps"];

/** The command whose output the reader of a preview understands as a whole. */
export const previewCommand = `pulumi preview ${previewOptions.join(" ")}`;

/** Returns the refusal of a preview. */
export const notUnderstood = (problem: string): Misuse =>
  new Misuse(
    `The preview is not understood: ${problem}. Interruptions are unknown. ` +
      `Give the command the output of \`${previewCommand}\`. [impact-not-understood]`,
  );

/** Reads a preview from a file, from `pulumi preview` of a stack, or from standard input. @throws Misuse. */
export async function readPreview(io: Io, file: string | undefined, stack: string | undefined): Promise<Preview> {
  if (file !== undefined && stack !== undefined)
    throw new Misuse("a file and --stack exclude each other. Give one of them. [options-conflict]");
  if (stack !== undefined) return previewIn(await previewOf(io, stack));
  if (file !== undefined && file !== "-") return previewIn(readText(io, file));
  if (io.stdin.isTTY) throw new Misuse("no preview was given. Name the stack with --stack. [wrong-usage]");
  return previewIn(textIn(await buffer(io.stdin)));
}

/** Understands the output of `pulumi preview --json`, all of it. @throws Misuse. */
export function previewIn(json: string): Preview {
  const { steps, diagnostics, changeSummary, ...rest } = checked(json);
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error) throw notUnderstood(`Pulumi reports an error: ${safeText(error.message, 200).replace(/\.$/, "")}`);
  for (const op of ["create", "update", "replace", "delete"]) {
    const count = steps.filter((each) => each.op === op).length;
    if (count !== (changeSummary[op] ?? 0))
      throw notUnderstood(`its summary counts ${changeSummary[op] ?? 0} steps "${op}", and ${count} are there`);
  }
  // The summary also counts the unchanged resources that Pulumi does not list.
  const hasUnchanged = steps.filter(({ op }) => op === "same").length >= (changeSummary["same"] ?? 0);
  return { ...rest, steps: withoutParts(steps), isComplete: hasParts(steps), hasUnchanged, diagnostics, changeSummary };
}

/**
 * Leaves out the two parts of each replacement, which its step `replace` stands for. A delete-first replacement also deletes dependents
 * that leave the program: only their parts show that.
 */
function withoutParts(steps: Step[]): Step[] {
  const place = ({ urn, oldState }: Step) => `${urn} ${oldState?.id ?? ""}`;
  const replaced = new Set(steps.filter(({ op }) => op === "replace").map(place));
  const last = steps.findLastIndex(({ op }) => op === "replace");
  return steps.flatMap((each, index): Step[] => {
    if (each.op === "create-replacement" || (each.op === "delete-replaced" && replaced.has(place(each)))) return [];
    if (each.op !== "delete-replaced" || !each.oldState) return [each];
    // A delete that an earlier run owes comes after all replacements.
    return [{ ...each, op: "delete", oldState: { ...each.oldState, pendingReplacement: index < last } }];
  });
}

/** True if each delete-first replacement has its parts, as with `--show-replacement-steps`. */
function hasParts(steps: Step[]): boolean {
  const deleted = new Set(steps.filter(({ op }) => op === "delete-replaced").map(({ urn }) => urn));
  return steps.every(({ op, urn, oldState }) => op !== "replace" || !oldState?.pendingReplacement || deleted.has(urn));
}

function checked(json: string): z.output<typeof preview> {
  if (json.trim() === "") throw notUnderstood("it is empty");
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    throw notUnderstood("it is no whole JSON document");
  }
  if (typeof document === "object" && document !== null && "resourcePlans" in document)
    throw notUnderstood("it is a plan, whose preview tells more. Give the preview, and the plan with --plan");
  const { data: ops } = z.object({ steps: z.array(z.object({ op: z.string() })) }).safeParse(document);
  if (ops?.steps.some(({ op }) => op === "refresh"))
    throw notUnderstood("it was made with --refresh, which hides what `up` changes");
  const { data, error } = preview.safeParse(document);
  if (data) return data;
  const [issue] = error.issues;
  const errors = z.object({ diagnostics: preview.shape.diagnostics }).safeParse(document).data?.diagnostics ?? [];
  const reported = errors.find(({ severity }) => severity === "error");
  if (reported) throw notUnderstood(`Pulumi reports an error: ${safeText(reported.message, 200).replace(/\.$/, "")}`);
  const place = ["the document", ...(issue?.path ?? [])].join(".");
  throw notUnderstood(`${place}: ${issue?.message ?? "it differs"}`);
}

/** Runs `pulumi preview --json` in this folder. Its errors are in the document, or in the refusal. */
async function previewOf({ cwd, env: given }: Io, stack: string): Promise<string> {
  const pulumi = onPath(given, "pulumi");
  if (pulumi === undefined) throw new Misuse("there is no pulumi on PATH. Install Pulumi. [engine-version]");
  const args = ["preview", ...previewOptions, "--non-interactive", "--stack", stack];
  const env = { ...given, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "" };
  return new Promise((resolve, reject) => {
    execFile(pulumi, args, { cwd, env, maxBuffer: 1024 ** 3 }, (error, stdout, stderr) => {
      if (error && stdout.trim() === "") reject(notUnderstood(`pulumi preview fails: ${safeText(stderr, 200)}`));
      else resolve(stdout);
    });
  });
}

import * as z from "zod";
import { safeText } from "../../provider/errors";
import { firstOf } from "../../provider/messages";
import { readText } from "../shared/files";
import type { Io } from "../shared/io";
import { Misuse } from "../shared/outcome";
import { type Preview, previewCommand } from "./preview";

/** What this command reads of a plan of `pulumi preview --save-plan`: the operations on each resource, also on an unchanged one. */
const savedPlan = z.object({
  resourcePlans: z.record(z.string(), z.object({ steps: z.array(z.string()).default([]) })),
});

/** Refuses a plan that another preview has saved: `pulumi up --plan` would make a change that nobody has judged. @throws Misuse. */
export function checkPlan(io: Pick<Io, "pathOf">, file: string, { steps }: Preview): void {
  const plan = planIn(readText(io, file));
  if (!plan) throw differs(`${file} is not a plan that \`pulumi preview --save-plan\` has written`);
  const [ofPlan, ofPreview] = [stackOf(Object.keys(plan)), stackOf(steps.map(({ urn }) => urn))];
  if (ofPlan !== ofPreview) throw differs(`${file} is a plan of ${ofPlan}, and the preview is of ${ofPreview}`);
  const previewed = Map.groupBy(steps, ({ urn }) => urn);
  const others = [...new Set([...Object.keys(plan), ...previewed.keys()])].filter(
    (urn) => changesIn(plan[urn]?.steps ?? []) !== changesIn((previewed.get(urn) ?? []).map(({ op }) => op)),
  );
  const names = others.filter((urn) => !urn.includes("::pulumi:providers:")).map(nameOf);
  if (names.length > 0) throw differs(`${file} has other steps than the preview for ${firstOf(names, 3).join(", ")}`);
}

const nameOf = (urn: string): string => safeText(urn.split("::").slice(3).join("::"), 80);

function planIn(json: string): z.output<typeof savedPlan>["resourcePlans"] | undefined {
  try {
    return savedPlan.safeParse(JSON.parse(json)).data?.resourcePlans;
  } catch {
    return undefined;
  }
}

/** Returns the stack and the project to which the resources belong, as a message names them. */
function stackOf(urns: readonly string[]): string {
  const [stack = "", project = ""] = (urns[0] ?? "").replace("urn:pulumi:", "").split("::");
  return `stack ${safeText(stack, 80)} of project ${safeText(project, 80)}`;
}

/** Returns the changes among the operations. `delete-replaced` is a delete if no `replace` creates the resource again. */
function changesIn(operations: readonly string[]): string {
  const isReplaced = operations.includes("replace");
  const changes = operations.flatMap((each) =>
    each === "delete-replaced"
      ? isReplaced
        ? []
        : ["delete"]
      : ["create", "update", "replace", "delete", "import"].includes(each)
        ? [each]
        : [],
  );
  return [...new Set(changes)].sort().join();
}

const differs = (problem: string): Misuse =>
  new Misuse(
    `${problem}. The plan was not judged. ` +
      `Save it with the preview: \`${previewCommand} --save-plan FILE\`. [impact-plan-differs]`,
  );

import { baseline, strict } from "../../policy/index";
import { well } from "../harness/command";
import type { Copies } from "../harness/copies";
import { verdicts } from "./checking";
import { recordedResources } from "./recorded";

/** The settings that `strict` needs for the examples, whose addresses and domain are placeholders. */
const told = {
  "use-public-peers": { allowDocumentationRanges: true },
  "keep-targets-private": { allowedSuffixes: ["corp.example", "internal"] },
  "require-locations": { requireLocation: false },
  "avoid-stored-keys": "disabled",
};

/** No policy says anything of a stack that an example has brought up, in neither preset; untold, `strict` says those alone. */
export async function expectSound(copies: Copies, example: string, stack = "dev"): Promise<void> {
  const { stdout } = well(await copies.pulumi(example, "stack", "export", "--show-secrets", "--stack", stack));
  const resources = recordedResources(stdout);
  expect(resources.length).toBeGreaterThan(2);
  expect(await verdicts(resources, baseline)).toEqual([]);
  expect(await verdicts(resources, { ...strict, ...told })).toEqual([]);
  const untold = (await verdicts(resources, strict)).map((text) => text.split(" ")[0] ?? "");
  expect(Object.keys(told)).toEqual(expect.arrayContaining(untold));
}

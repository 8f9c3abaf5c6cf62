import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "zod";
import { keyed } from "../provider/lifecycle/lifecycle";
import { onPath } from "./files";
import type { Stack } from "./connection";

const longestMs = 30_000;

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  /** True for what a replacement still has to delete. */
  delete: z.boolean().default(false),
  outputs: z.record(z.string(), z.unknown()).default({}),
});
const exported = z.object({ deployment: z.object({ resources: z.array(resource).default([]) }) });

const types = { tunnel: "IpsecTunnel", share: "IpsecShare" };

/**
 * Returns the ids of the resources with this logical name in the state of a stack; a share of a set is called as in Pulumi's output,
 * `services["web"]`. Returns none if the state cannot be read: the name may be found in another way.
 */
export async function idsInState(
  { stack, folder }: Stack,
  kinds: readonly (keyof typeof types)[],
  name: string,
  frontdoorId: string,
): Promise<string[]> {
  const resources = await stateOf(stack, folder);
  const isHere = ({ outputs, delete: isOld }: z.output<typeof resource>) =>
    !isOld && [undefined, frontdoorId].includes(outputs["frontdoorId"] as string | undefined);
  const found = resources.filter(isHere).flatMap(({ urn, type, id, outputs }): string[] => {
    const own = urn.split("::").slice(3).join("::");
    const isOf = (className: string) => type.endsWith(`:${className}`) && type.includes("frontdoor");
    if (own === name && id !== undefined && kinds.some((kind) => isOf(types[kind]))) return [id];
    if (!kinds.includes("share") || !isOf("IpsecShareSet")) return [];
    const ids = z.record(z.string(), z.string()).safeParse(outputs["ids"]).data ?? {};
    return Object.entries(ids).flatMap(([key, each]) => (keyed(own, key) === name ? [each] : []));
  });
  return [...new Set(found)];
}

async function stateOf(stack: string, folder: string): Promise<z.output<typeof resource>[]> {
  const pulumi = onPath("pulumi");
  if (pulumi === undefined) return [];
  const args = ["stack", "export", "--non-interactive", "--stack", stack];
  const options = { cwd: folder, maxBuffer: 1024 ** 3, timeout: longestMs };
  try {
    return exported.parse(JSON.parse((await promisify(execFile)(pulumi, args, options)).stdout)).deployment.resources;
  } catch {
    return [];
  }
}

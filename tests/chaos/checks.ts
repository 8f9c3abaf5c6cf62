import type { Emulator } from "../../emulator";
import { type Entry, nameOf } from "../harness/state";
import { namesOf } from "./declared";
import { type Program, without } from "./schedule";
import { flat } from "./sets";

/** How the service, a stack's state and its program differ; nothing when each of its objects is there once, ready and as it was asked for. */
export function differences(
  kept: Entry[],
  emulator: Emulator,
  program: Program,
  isOwn: (id: string) => boolean = () => true,
): string[] {
  const problems: string[] = [];
  const served = [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");
  const { tunnels, shares } = flat(program);
  const wanted = { ...tunnels, ...shares };

  for (const { id, status } of served.filter((each) => isOwn(each.id))) {
    if (!kept.some((each) => each.id === id)) problems.push(`orphan: the service has ${id} (${status}), the state not`);
    if (status !== "DEPLOYED") problems.push(`${id} is ${status}`);
  }
  for (const { id, urn, outputs, delete: isDoomed } of kept) {
    const object = served.find((each) => each.id === id);
    const name = nameOf(urn);
    if (isDoomed) problems.push(`the state holds ${name} (${id}) to be deleted`);
    if (!object) problems.push(`lost: the state has ${name} (${id}), the service not`);
    if (outputs["status"] !== "DEPLOYED") problems.push(`the state holds ${name} as ${String(outputs["status"])}`);
    const { opts, envId, ...given } = wanted[name] ?? {};
    const args = without(given, "adopt", "retain", "storeSampleConfig");
    for (const [key, value] of Object.entries({ ...args, ...(envId !== undefined && { envZId: envId }) })) {
      if (opts?.ignoreChanges?.includes(key)) continue;
      const expected = isReference(value) ? kept.find((each) => nameOf(each.urn) === value.tunnel)?.id : value;
      if (object && (object as unknown as Record<string, unknown>)[key] !== expected) {
        problems.push(`${name} (${id}): ${key} is not what the program says`);
      }
    }
  }
  const names = kept.map(({ urn }) => nameOf(urn)).sort();
  if (names.join() !== namesOf(program).sort().join()) problems.push(`the state holds ${names.join(", ")}`);
  return problems;
}

const isReference = (value: unknown): value is { tunnel: string } =>
  typeof value === "object" && value !== null && "tunnel" in value;

/** Ids that one state holds twice; while a run has failed, what is not yet deleted may share one, but not under the same URN. */
export function heldTwice(kept: Entry[], hasFailed: boolean): string[] {
  const keys = kept
    .filter((each) => !(hasFailed && each.delete === true))
    .map(({ id, urn }) => (hasFailed ? `${id} as ${nameOf(urn)} (${urn})` : id));
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))].map(
    (key) => `the state holds ${key} twice`,
  );
}

/** Which of the secrets a text shows, in any spelling in which they may get there. */
export function leaks(text: string, secrets: string[], where: string): string[] {
  return secrets
    .filter((secret) =>
      [secret, Buffer.from(secret).toString("base64").replace(/=+$/, ""), encodeURIComponent(secret)].some((spelling) =>
        text.includes(spelling),
      ),
    )
    .map((secret) => `${secret.slice(0, 9)}… shows in ${where}`);
}

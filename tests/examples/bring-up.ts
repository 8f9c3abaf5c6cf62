import { well } from "../harness/command";
import type { Copies } from "../harness/copies";
import { expectSound } from "../policy/run";

export const outputsOf = async (copies: Copies, example: string) =>
  JSON.parse(well(await copies.pulumi(example, "stack", "output", "--json")).stdout) as Record<string, unknown>;

/** Brings an example up in a new stack, finds nothing to change afterwards, and returns what the run wrote. */
export async function bringUp(copies: Copies, example: string): Promise<string[]> {
  well(await copies.pulumi(example, "stack", "init", "dev"));
  well(await copies.pulumi(example, "up", "--yes", "--skip-preview"));
  const writes = copies.writes();
  well(await copies.pulumi(example, "preview", "--expect-no-changes"));
  await expectSound(copies, example);
  return writes;
}

export async function destroy(copies: Copies, example: string): Promise<void> {
  well(await copies.pulumi(example, "destroy", "--yes", "--skip-preview"));
  const left = [...copies.emulator.tunnels(), ...copies.emulator.shares()];
  expect(left.filter(({ status }) => status !== "DELETED")).toEqual([]);
}

import { previewIn } from "../../cli/impact/preview";
import { reportOf } from "../../cli/impact/report";
import { startPulumi, well } from "../harness/command";
import { engineEnvironment } from "../harness/environment";
import type { Resources, Stack } from "../harness/stack";

const second = { typical: 1, worst: 1, seen: 0 };

/** Previews and runs a program, and expects that the service gets the writes that the impact of the preview names, and no other. */
export async function expectForetold(stack: Stack, program: Resources): Promise<void> {
  stack.program(program);
  const env = { ...engineEnvironment(stack.folder), ...stack.env };
  const where = { cwd: stack.folder, env };
  const { stdout } = well(
    await startPulumi(["preview", "--json", "--show-replacement-steps", "--stack", "test"], where).end,
  );
  const { items } = reportOf(previewIn(stdout), () => second);
  const writesOf = (isWanted: boolean) =>
    items
      .filter(({ isCertain }) => isCertain === isWanted)
      .flatMap(({ request, kind, id }) =>
        request.split("+").map((method) => (method === "POST" ? `POST ${kind}` : `${method} ${id ?? ""}`)),
      );
  // The preview of a set with secret shares does not show which keys leave.
  const possible = writesOf(false).flatMap((write) => [write, write.replace("PATCH", "DELETE")]);

  stack.writes();
  well(await stack.up(program));
  const writes = stack.calls().map((call) => {
    const [, method = "", kind = "", id] = /^(\w+) \/ipsec-(\w+)s(?:\/(.+))?$/.exec(call) ?? [];
    return `${method} ${id ?? kind}`;
  });
  expect(writes.filter((write) => !possible.includes(write)).sort()).toEqual(writesOf(true).sort());
  removeOrphans(stack);
}

/** A share that stays at the service would keep its tunnel from being deleted. */
function removeOrphans(stack: Stack): void {
  const state = stack.stateText();
  for (const { id, status } of stack.emulator.shares())
    if (status !== "DELETED" && !state.includes(`"${id}"`)) stack.emulator.removeShare(id);
}

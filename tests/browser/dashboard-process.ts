import type { Emulator } from "../../emulator";
import { start } from "../harness/command";
import { engineEnvironment } from "../harness/environment";
import { installed, type Place } from "../cli/command";

/** `frontdoor dashboard` on an emulator: its one-time address, and its end. */
export async function startDashboard(place: Place, { baseUrl, frontdoorId, token }: Emulator) {
  const own = { FRONTDOOR_BASE_URL: baseUrl, FRONTDOOR_ID: frontdoorId, FRONTDOOR_TOKEN: token };
  const where = { cwd: place.folder, env: { ...engineEnvironment(place.folder), ...own } };
  const { pid, said, end } = start(process.execPath, [installed, "dashboard"], where);
  while (!said.stdout.includes("\n")) {
    const ended = await Promise.race([end, new Promise<void>((resolve) => setTimeout(resolve, 20))]);
    if (ended) throw new Error(said.text);
  }
  return {
    url: said.stdout.trim(),
    said,
    stop: () => {
      process.kill(pid, "SIGINT");
      return end;
    },
  };
}

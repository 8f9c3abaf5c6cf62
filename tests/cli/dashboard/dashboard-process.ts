import { start } from "../../harness/command";
import { installed, type Place } from "../command";

/** `frontdoor dashboard` on an emulator: its one-time address, and its end. */
export async function startDashboard(place: Place, args = ["dashboard"]) {
  const { pid, said, end } = start(process.execPath, [installed, ...args], place.where());
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

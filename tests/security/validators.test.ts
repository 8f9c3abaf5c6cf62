import { hostPortOf, isNetwork, isPrivateIpv4, isPublicIpv4 } from "../../provider/addresses";
import { idPattern, readConfig } from "../../provider/config";
import { shown } from "../../provider/errors";
import { durationSeconds } from "../../provider/hosts/dynamic/timeouts";
import { shareName, tunnelName } from "../../provider/fields/values";
import { differInStampsOnly } from "../../provider/resources/time-stamps";

const parts = [
  "a",
  "1",
  ".",
  "-",
  "1.",
  "a-",
  ":",
  "[",
  "::",
  "%2e",
  "/",
  "1h",
  " ",
  "\u0000",
  "\u{1F600}",
  "Mon ",
  "2026-",
];
const hostile = parts.map((part) => part.repeat(100_000 / part.length));

const validators: Record<string, (text: string) => unknown> = {
  "public address": isPublicIpv4,
  "private address": isPrivateIpv4,
  network: isNetwork,
  "network with a prefix": (text) => isNetwork(`${text}/8`),
  "host and port": hostPortOf,
  "host with a port": (text) => hostPortOf(`${text}:1`),
  id: (text) => idPattern.test(text),
  "share name": (text) => shareName.safeParse(text),
  "tunnel name": (text) => tunnelName.safeParse(text),
  duration: durationSeconds,
  "shown text": shown,
  "sample configuration": (text) => differInStampsOnly(text, ""),
  configuration: (text) => {
    try {
      readConfig(() => text, {});
    } catch {
      return;
    }
  },
};

describe("validators", () => {
  // Processor time, not time on the wall; the best of a few runs, since garbage collection is not what is measured.
  const bestMs = (run: () => unknown) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        run();
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      }),
    );

  it.each(Object.entries(validators))("%s: 100 kB of anything in under 10 ms", (_name, validate) => {
    const slow = hostile
      .map((text) => ({ of: text.slice(0, 4), ms: bestMs(() => validate(text)) }))
      .filter(({ ms }) => ms >= 10);
    expect(slow).toEqual([]);
  });
});

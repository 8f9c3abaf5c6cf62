import { hostPortOf, isNetwork, isPrivateIpv4, isPublicIpv4 } from "../../provider/addresses";
import { idPattern, readConfig } from "../../provider/config";
import { shown } from "../../provider/errors";
import { Redactor } from "../../provider/http/redact";
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
  "\\",
  "%25",
  "\\u005c",
];
/** Each part over and over, to about so many characters. */
const hostile = (length: number) => parts.map((part) => part.repeat(length / part.length));

const redactor = new Redactor();
redactor.addAll(["\\\\\\\\\\\\\\\\a", "%25%25%25%25b"]);

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
  "text without secrets": (text) => redactor.clean(text),
  "sample configuration": (text) => differInStampsOnly(text, ""),
  configuration: (text) => {
    try {
      readConfig(() => text, {});
    } catch {
      return;
    }
  },
};

/** Processor time, as a busy machine takes none of it; the best of a few runs, as garbage collection is not what is measured. */
const bestMs = (run: () => unknown) =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );

/** How many times as long four times the text takes: 4 where work grows with the length, 16 with its square. Under a millisecond nothing grows. */
const growth = (validate: (text: string) => unknown, short: string, long: string) =>
  Math.max(
    1,
    bestMs(() => validate(long)),
  ) /
  Math.max(
    1,
    bestMs(() => validate(short)),
  );

describe("validators", () => {
  it.each(Object.entries(validators))("%s: the work grows with the length of any text", (_name, validate) => {
    const [short, long] = [hostile(25_000), hostile(100_000)];
    const steep = parts.filter((_, index) => growth(validate, short[index] ?? "", long[index] ?? "") > 8);
    expect(steep).toEqual([]);
  });

  it("would be caught if it grew with the square", () => {
    const square = (text: string) => /-+1/.test(text);
    expect(growth(square, "-".repeat(5000), "-".repeat(20_000))).toBeGreaterThan(8);
  });
});

import { Secret } from "../model/program";
import { hush } from "./service";
import { type Ran, token } from "./run";

/** Texts that no state, message or line may show: secrets of the program and of a colleague, the token, and the start of each pre-shared key. */
export const canaries = [hush, token, "psk-"];

/** Secrets and crashes in the messages of a run. */
export const told = ({ error = "", said, lines }: Pick<Ran, "error" | "said" | "lines">): string[] => [
  ...[error, ...said, ...lines.map(({ text: line }) => line)]
    .filter((line) => canaries.some((canary) => line.includes(canary)))
    .map((line) => `a secret is told: ${line}`),
  ...(/call stack|is not (a function|iterable|defined)|Cannot read/.test(error) ? [`a crash: ${error}`] : []),
];

/** True if the properties show a canary. The answer is remembered, because properties never change. */
export function isShown(properties: object): boolean {
  const isKnown = shownIn.get(properties);
  if (isKnown !== undefined) return isKnown;
  const kept = JSON.stringify(properties, hidden);
  const isIn = canaries.some((canary) => kept.includes(canary));
  shownIn.set(properties, isIn);
  return isIn;
}
const shownIn = new WeakMap<object, boolean>();

const hidden = (_key: string, value: unknown) => (value instanceof Secret ? "[secret]" : value);

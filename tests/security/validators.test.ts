import { runInNewContext } from "node:vm";
import {
  hostPortOf,
  isNetwork,
  isPrivateIpv4,
  isPublicIpv4,
  shareName,
  tunnelName,
} from "../../provider/fields/values";
import { idPattern, readConfig } from "../../provider/config";
import { safeText } from "../../provider/errors";
import { Redactor } from "../../provider/http/redact";
import { durationSeconds } from "../../provider/time";

const parts = [
  ...["a", "1", ".", "-", "1.", "a-", ":", "[", "::", "%2e"],
  ...["/", "1h", " ", "\u0000", "\u{1F600}", "Mon ", "2026-", "\\", "%25", "\\u005c"],
];

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
  "safe text": safeText,
  "text without secrets": (text) => redactor.clean(text),
  configuration: (text) => {
    try {
      readConfig(() => text, {});
    } catch {
      return;
    }
  },
};

/**
 * Work that grows with the length of a text ends within a fraction of a second here. Work that grows with its square takes minutes,
 * so only a hang is told from an end, and no time is compared. The time limit also stops a regular expression.
 */
describe.each(Object.entries(validators))("the validator of: %s", (_name, validate) => {
  it.each(parts)("a text of a million characters does not hang it: %j", (part) => {
    const work = () => validate(part.repeat(1_000_000 / part.length));
    runInNewContext("work()", { work }, { timeout: 60_000 });
  });
});

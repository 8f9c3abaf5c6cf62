import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { retired } from "../../cli/explain/codes/retired";
import { catalogue } from "../../cli/explain/explain";
import * as ofResources from "../../provider/messages";
import * as ofSets from "../../provider/share-set-messages";
import { afterNoAnswer } from "../../provider/errors";
import { root } from "../harness/folder";
import { pages, textOf } from "./pages";

const entries = catalogue.flatMap((group) => group.entries);

const sources = ["provider", "sdk", "cli", "policy", "emulator", "fleet/src"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith(".ts") && !file.startsWith(join("cli", "explain", "codes")));

/** The codes at the ends of texts, and those that a function appends. */
function codesIn(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const ends = text.matchAll(/ \[([a-z]+(?:-[a-z]+)*)\](?=["`'])/g);
  const given = text.matchAll(/(?:unfinishedResource|refused|withCode)\([^;]*?"([a-z]+(?:-[a-z]+)+)",?\s*\)/g);
  const ofKinds = text.matchAll(/(?:ended|incomplete|gone): "([a-z]+(?:-[a-z]+)+)"/g);
  return [...ends, ...given, ...ofKinds].map(([, code = ""]) => code);
}

const sorted = (codes: Iterable<string>) => [...new Set(codes)].sort();

const wordsOf = (text: string) => text.split(/\s+/).length;

describe("the catalogue", () => {
  it("has one entry for each code of the sources, and no other", () => {
    const codes = entries.map(({ code }) => code);
    expect(sorted(codes)).toEqual([...codes].sort());
    expect(sorted(codes)).toEqual(sorted(sources.flatMap(codesIn)));
  });

  it("has a heading for each code on the page that explain names", () => {
    const without = catalogue.flatMap(({ page, entries: ofPage }) => {
      const text = readFileSync(join(root, "docs", page), "utf8");
      return ofPage.flatMap(({ code }) => (text.includes(`\n### ${code}\n`) ? [] : code));
    });
    expect(without).toEqual([]);
  });

  it("quotes the words of its messages as the sources write them", () => {
    const texts = sources
      .map((file) => readFileSync(join(root, file), "utf8"))
      .join("\n")
      .replace(/["`'] ?\+\s*["`']/g, "")
      .replaceAll(/\\(["`'])/g, "$1");
    const unknown = entries.flatMap(({ code, says = "" }) =>
      says
        .split(/…| \/ /)
        .map((words) => words.replace(/^[\s.:;,"]+|[\s.:;,"]+$/g, ""))
        .filter((words) => words.length > 10 && !texts.includes(words))
        .map((words) => `${code}: ${words}`),
    );
    expect(unknown).toEqual([]);
  });

  it("explains no retired code", () => {
    expect(entries.filter(({ code }) => retired.includes(code))).toEqual([]);
  });

  it("gives a remedy for each", () => {
    expect(entries.filter(({ remedies }) => remedies.length === 0)).toEqual([]);
  });
});

const messages = { ...ofResources, ...ofSets };
const label = 'IPsec share "a name of some words" (shr-9)';
const holder = { id: "shr-9", name: "a name of some words", isOfProgram: false };
const many = Array.from({ length: 2 }, () => holder);
const reason = "the time is over, and Frontdoor still reports NEW";
const place = { ingressPort: 443, ipsecTunnelId: "tnl-1" };

const texts: Record<
  Exclude<keyof typeof messages, "differencesOf" | "failedTunnelRule" | "firstOf" | "portOfKey" | "runAfter">,
  string
> = {
  createsLeft: messages.createsLeft(Array.from({ length: 9 }, () => `IPsec share shr-1 of resource "web"`)),
  identicalExists: messages.identicalExists(label, "shr-9", true, true),
  replacedUnasked: messages.replacedUnasked(label, "shr-9"),
  replacedByItself: messages.replacedByItself(label),
  resumeRefused: messages.resumeRefused(label, "shr-9"),
  refreshRefusedToo: messages.refreshRefusedToo("GET /v2/fd-1/ipsec-shares/shr-1: 401 unauthorized", "token-refused"),
  refreshRefused: messages.refreshRefused(
    'GET /v2/fd-1/ipsec-tunnels/tnl-1: 401 unauthorized: Bearer token is missing or invalid. The token is invalid or expired. Run "pulumi config set --secret frontdoor:token" or set FRONTDOOR_TOKEN. [token-refused]',
    "token-refused",
  ),
  settingsReset: messages.settingsReset(label, ["idleTimeout", "tags"]),
  logNotWritten: messages.logNotWritten("/var/log/frontdoor/requests.jsonl", "ENOENT"),
  tokenRetried: messages.tokenRetried("token request (a.json): nothing was reached at a. Check it. [unreachable]"),
  resumed: messages.resumed(label, "shr-9"),
  adopted: messages.adopted(label, "shr-9"),
  changedOutside: messages.changedOutside(label, ["target", "ingressPort"], {
    target: "a.internal:443",
    ingressPort: 1,
  }),
  notShown: messages.notShown(label),
  detailUnread: messages.detailUnread(label, reason, "sampleConfig"),
  listedIdWrong: messages.listedIdWrong("shares/shr 9"),
  answeredIdWrong: messages.answeredIdWrong("POST /v2/fd-1/ipsec-shares", "shares/shr 9"),
  driftTold: messages.driftTold(label, ["`peerCidr` 10.21.0.0/16 instead of 10.20.0.0/16"]),
  tunnelNeverDeployed: messages.tunnelNeverDeployed(label, reason),
  valueDiffers: messages.valueDiffers(label, ["`ingressPort` 18443 instead of 8443"], false),
  mayTakeEffect: messages.mayTakeEffect(label),
  notProvenGone: messages.notProvenGone(label),
  notDeleted: messages.notDeleted(label, reason, "shr-1"),
  replacementNeeded: messages.replacementNeeded(label, ["peerCidr"]),
  ownedByOther: messages.ownedByOther(label),
  adoptDiffersFromState: messages.adoptDiffersFromState(
    label,
    "tnl-1",
    "tnl-2",
    "urn:pulumi:prod::acme::frontdoor:index:IpsecSite$frontdoor:index:IpsecTunnel::hq",
  ),
  adoptMissing: messages.adoptMissing("shr-9", "fd-1", false),
  adoptOtherKind: messages.adoptOtherKind("tnl-9", ["ipsecTunnelId", "envZId", "target", "ingressPort"]),
  adoptDiffers: messages.adoptDiffers(label, "tnl-1", "peerCidr, peerPublicIp"),
  idTwice: messages.idTwice("shr-9", "web", "api"),
  adoptsLeaving: messages.adoptsLeaving("shr-9"),
  nameTwice: messages.nameTwice("web", "fd-1", "one", "other"),
  portTwice: messages.portTwice('share "web" on the same tunnel'),
  placeTwice: messages.placeTwice("branch"),
  tunnelReplaced: messages.tunnelReplaced("tnl-1", "ipsecTunnelId"),
  frontDoorDiffers: messages.frontDoorDiffers("FRONTDOOR_ID", "fd-2", "fd-1"),
  nameOfKey: messages.nameOfKey('shares["crm"]'),
  keysDiffer: messages.keysDiffer(
    'IPsec share set "tunnel/tnl-1"',
    Array.from({ length: 9 }, () => 'shares["crm"]: "shr-9"'),
  ),
  placeShared: messages.placeShared("us-east-1", "branch", "hq"),
  portInUse: messages.portInUse(label, place, holder, "409 conflict: no"),
  tunnelGone: messages.tunnelGone(label, {
    ...{ frontdoorId: "fd-1", tunnelId: "tnl-1", status: "DELETING" },
    ...{ isDeclared: true, isCreate: true, words: "409 conflict: no" },
  }),
  placeTaken: messages.placeTaken(label, "loc-1", holder, "409 conflict: no"),
  peerNotPublic: messages.peerNotPublic(label),
  tunnelRetained: messages.tunnelRetained(label),
  locationsOpen: messages.locationsOpen("fd-1", "branch", "head-office"),
  placePending: messages.placePending(label, "loc-1", holder, "still DELETING after 60 s", "409 conflict: no"),
  tunnelInUse: messages.tunnelInUse(label, many),
  pendingDelete: messages.pendingDelete(label, "shr-9", reason),
  deadline: messages.deadline(label, reason, true),
  resourceGone: messages.resourceGone(label, reason, "share", "share-gone"),
  tokenExpired: messages.tokenExpired("frontdoor:token", 0),
  unfinishedResource: messages.unfinishedResource(label, reason, "send the share again", "share-error"),
  connectionDown: messages.connectionDown(label, reason),
  waitStopped: messages.waitStopped(label, "still DOWN when the run was stopped"),
  tunnelEnded: messages.tunnelEnded(label, "the tunnel no longer exists"),
  noneOfThisId: messages.noneOfThisId("IPsec share shr-9", "fd-1"),
  keyNotFound: messages.keyNotFound("IPsec tunnel tnl-1", "which the sample configuration masks: ask for the key"),
  beingDeleted: messages.beingDeleted("IPsec share shr-9"),
  notOneMatch: messages.notOneMatch('IPsec share "web"', "fd-1", ["shr-1", "shr-2"], []),
  changedAfterCheck: messages.changedAfterCheck("ingressPort", "must be a whole number from 1 to 65535"),
  changedByPolicy: messages.changedByPolicy(["name", "locationId", "peerCidr", "storeSampleConfig"]),
  noSharesOn: messages.noSharesOn("tnl-1", "fd-1"),
  importIdWrong: messages.importIdWrong("a/b/c"),
  setImportIdWrong: messages.setImportIdWrong("a/b/c"),
  portCycle: messages.portCycle(label, ["web", "api"]),
  setUnfinished: messages.setUnfinished(
    label,
    12,
    13,
    Array.from(
      { length: 12 },
      () => `shares["web"]: ${messages.unfinishedResource(label, reason, "send it", "share-error")}`,
    ),
    new Set(["port-in-use"]),
  ),
  staysAtService: messages.staysAtService('IPsec share set "engine-test-services": shares["web"] (shr-1)'),
  setNotDeleted: messages.setNotDeleted(messages.notDeleted(label, reason, "shr-1"), 2),
  setReplacedLater: messages.setReplacedLater(label, "fd-1"),
  wrongFrontDoor: messages.wrongFrontDoor,
  seenElsewhere: messages.seenElsewhere(
    label,
    "https://gateway.staging.netfoundry.io/frontdoor",
    "https://gateway.production.netfoundry.io/frontdoor",
  ),
  serviceClosed: messages.serviceClosed,
  notConfigured: messages.notConfigured,
};

it.each(Object.entries(texts))("%s has at most 60 words and ends with its code", (...[, text]) => {
  expect(text).toMatch(/ \[[a-z-]+\]$/);
  expect(wordsOf(text)).toBeLessThanOrEqual(60);
});

/** The first command of Pulumi's that a text names; undefined if it names none. */
const commandIn = (text: string) => /`(pulumi (?:up|refresh|destroy)\b[^`]*)`/.exec(text)?.[1];

/** The remedies in the tables of how-to guides, by code. */
const rows = pages
  .filter((page) => page.startsWith("docs/how-to/"))
  .flatMap((page) => [...textOf(page).matchAll(/^\| (\[`[a-z-]+`\].*?) \| (.*) \|$/gm)])
  .flatMap(([, codes = "", remedy = ""]) => [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code = ""]) => [code, remedy]));

/** What the credentials, a wrong value or a second run in vain need is no command for the symptom alone. */
const byCode = Object.entries(texts).flatMap(([name, text]) => {
  const [, code = ""] = / \[([a-z-]+)\]$/.exec(text) ?? [];
  const command = commandIn(text);
  return command === undefined || ["deadline", "refreshRefused"].includes(name) ? [] : [[code, command] as const];
});

it.each(byCode)("the message, the explanation and the guides on %s name %s", (code, command) => {
  const said = [entries.find((entry) => entry.code === code)?.remedies.join(" ") ?? ""];
  for (const [of, remedy = ""] of rows) if (of === code) said.push(remedy);
  const commands = said.map(commandIn);
  expect(commands.filter((each) => each !== undefined && each !== command)).toEqual([]);
});

it.each(["POST", "PUT", "PATCH", "DELETE"])(
  "after a %s without an answer, the effect and the action are named",
  (method) => {
    expect(afterNoAnswer(`${method} /v2/fd-1/ipsec-shares`)).toMatch(
      /^Frontdoor may still have done it\. Run the command again/,
    );
    expect(afterNoAnswer("GET /v2/fd-1/ipsec-shares")).not.toContain("may still have done it");
  },
);

import { objectIn, textIn } from "../shared/raw-client";
import { type Entry, type Found, type FrontDoor, isAccepted, verdictOf } from "./front-door";
import type { RowId } from "./manifest";
import { changedTarget, type Created, limitMs, NotAccepted, type OwnResources, target } from "./own-resources";
import { configurationOfNotReady, emptyForm, probeReads, shareDurations } from "./read-probes";

/** An environment that nobody has. */
export const noEnvironment = "verify-none";
const peerCidr = "198.51.100.0/24";

/** What the probes of a tunnel and its shares have at hand. */
export interface Subject {
  frontDoor: FrontDoor;
  own: OwnResources;
  envZId: string;
  /** Ports that no share has. */
  ports: number[];
  tunnelId: string;
}

/** The same, once there is a share. */
interface ShareSubject extends Subject {
  share: Created;
}

interface Probe<Of> {
  /** Shown before, because a run can take minutes. */
  says?: (of: Of) => string;
  run: (of: Of) => Promise<Found>;
}

async function runAll<Of extends Subject>(subject: Of, probes: readonly Probe<Of>[]): Promise<void> {
  for (const { says, run } of probes) {
    if (says) subject.frontDoor.access.say(says(subject));
    subject.frontDoor.note(await run(subject));
  }
}

/** Probes a tunnel of its own from its create on, then shares on it, then its delete. @throws FrontdoorError, NotAccepted, Stuck. */
export async function probeLocation(withoutTunnel: Omit<Subject, "tunnelId">, locationId: string): Promise<void> {
  const { frontDoor, own } = withoutTunnel;
  frontDoor.access.say(`Creating a tunnel at ${locationId}…`);
  const tunnel = await createTunnel(withoutTunnel, locationId);
  const subject = { ...withoutTunnel, tunnelId: tunnel.id };
  await runAll(subject, [{ run: newTunnel }, { run: (of) => secondTunnel(of, locationId) }]);
  const status = await own.settled(tunnel);
  frontDoor.note({ "tunnel-time": status === "NEW" ? "too late" : "in time" });
  if (status !== "DEPLOYED") return;
  await probeTunnel(subject);
  // A front door that had no tunnel has one to read now.
  if (frontDoor.findings["connection-state"] === undefined) await probeReads(frontDoor);
  await runAll(subject, [{ run: deleteTunnelInUse }]);
}

/** Probes shares of its own on a tunnel. @throws FrontdoorError, NotAccepted, Stuck. */
export async function probeTunnel(subject: Subject): Promise<void> {
  const { frontDoor } = subject;
  frontDoor.access.say(`Creating shares on tunnel ${subject.tunnelId}…`);
  const { response, created: share } = await createShare(subject, "nut");
  if (!share) throw new NotAccepted(response);
  const id = textIn(objectIn(response.body)["id"]);
  frontDoor.note({
    "create-status": String(response.status),
    "create-body": id === undefined ? "none" : id === share.id ? "resource" : "another resource",
    "create-location": response.headers["location"] === undefined ? "none" : "names",
  });
  await runAll({ ...subject, share }, shareProbes);
}

/** In this order: each probe leaves `share` settled for the next one. */
const shareProbes: readonly Probe<ShareSubject>[] = [
  { run: updateInNew },
  { run: changeTogether },
  { run: shareTime },
  { run: listOrder },
  { run: spellingAndLocation },
  { run: shareElsewhere },
  ...refusableCreates(),
  { run: ({ frontDoor, own, share }) => own.settled(share).then(() => shareDurations(frontDoor, share.id)) },
  { says: ({ share }) => `Changing share ${share.name}…`, run: patch },
  { run: put },
  { run: emptyPatch },
  { run: nullLocation },
  { says: ({ share }) => `Deleting share ${share.name}…`, run: deleteInNew },
  { run: deleteShare },
  { run: deletedShare },
];

/** Returns the first form of a tunnel that the service accepts: each one shows a rule. */
async function createTunnel({ frontDoor, own }: Omit<Subject, "tunnelId">, locationId: string): Promise<Created> {
  const usual = { locationId, peerPublicIp: "203.0.113.1", peerCidr };
  for (const [row, word, change] of [
    ["private-peer", "private", { peerPublicIp: "10.0.0.1" }],
    ["host-bits", "bits", { peerCidr: "198.51.100.7/24" }],
  ] as const) {
    const { response, created } = await own.create("tunnels", word, { ...usual, ...change });
    frontDoor.note({ [row]: verdictOf(response) });
    if (created) return created;
  }
  const { response, created } = await own.create("tunnels", "tunnel", usual);
  if (!created) throw new NotAccepted(response);
  return created;
}

async function newTunnel(subject: Subject): Promise<Found> {
  const { frontDoor, tunnelId } = subject;
  const { status, nlbPrivateIp, nlbDnsName } = await frontDoor.read("tunnels", tunnelId);
  if (status !== "NEW") return {};
  const notReady = await configurationOfNotReady(frontDoor, tunnelId);
  const { response } = await createShare(subject, "early");
  return {
    ...notReady,
    "nlb-address": textIn(nlbPrivateIp) === undefined ? "later" : "at once",
    "empty-field": emptyForm(nlbDnsName),
    "share-on-NEW-tunnel": verdictOf(response),
  };
}

async function secondTunnel({ own }: Subject, locationId: string): Promise<Found> {
  const { response } = await own.create("tunnels", "second", { locationId, peerPublicIp: "203.0.113.2", peerCidr });
  return { "one-tunnel": verdictOf(response), ...conflictIn(response) };
}

async function deleteTunnelInUse(subject: Subject): Promise<Found> {
  const { created } = await createShare(subject, "last");
  if (!created) return {};
  const response = await subject.frontDoor.send("DELETE", "tunnels", subject.tunnelId);
  return { "delete-with-shares": verdictOf(response, String(response.status)) };
}

const conflictIn = (response: { status: number }): Found =>
  response.status < 300 ? {} : { "conflict-status": String(response.status) };

async function createShare(subject: Subject, word: string, more: object = {}, isAtOnce = false) {
  const { own, tunnelId, envZId, ports } = subject;
  if (!isAtOnce) await own.quiet();
  const body = { ipsecTunnelId: tunnelId, envZId, target, ingressPort: ports.shift(), ...more };
  return own.create("shares", word, body);
}

async function updateInNew({ frontDoor, own, share }: ShareSubject): Promise<Found> {
  if ((await own.readBack(share))["status"] !== "NEW") return {};
  const response = await frontDoor.send("PATCH", "shares", share.id, { target });
  return { "update-in-NEW": verdictOf(response), ...conflictIn(response) };
}

async function changeTogether(subject: ShareSubject): Promise<Found> {
  const { created } = await createShare(subject, "bolt", {}, true);
  return { "changes-together": created ? "together" : "one at a time" };
}

async function shareTime({ own, share }: ShareSubject): Promise<Found> {
  return { "share-time": (await own.settled(share)) === "NEW" ? "too late" : "in time" };
}

/** The orders in which the shares nut, bolt and washer can be listed. */
const orders: Record<string, string> = {
  "nut,bolt,washer": "creation",
  "washer,bolt,nut": "newest",
  "bolt,nut,washer": "name",
  "washer,nut,bolt": "name, reversed",
};

async function listOrder(subject: ShareSubject): Promise<Found> {
  const { frontDoor, own } = subject;
  if (frontDoor.findings["changes-together"] === "one at a time") await createShare(subject, "bolt");
  await createShare(subject, "washer");
  await own.lag("list");
  const names = (await frontDoor.list("shares")).map(({ name }) => String(name));
  const words = names.filter((name) => name.startsWith(own.prefix)).map((name) => name.split("-")[2] ?? "");
  const order = words.filter((word) => ["nut", "bolt", "washer"].includes(word));
  return { "list-order": order.length === 3 ? (orders[order.join()] ?? "other") : undefined };
}

async function spellingAndLocation({ frontDoor, own, share, tunnelId }: ShareSubject): Promise<Found> {
  const [shown, tunnel] = [await own.readBack(share), await frontDoor.read("tunnels", tunnelId)];
  const isAsSent = shown["target"] === target && typeof shown["ingressPort"] === "number";
  const location = textIn(shown["locationId"]);
  const isTunnels = location === tunnel["locationId"];
  return {
    spelling: isAsSent ? "as sent" : "in another spelling",
    "share-location": location === undefined ? "none" : isTunnels ? "the tunnel's" : "other",
  };
}

async function shareElsewhere(subject: ShareSubject): Promise<Found> {
  const { created } = await createShare(subject, "elsewhere", { locationId: "verify-nowhere" });
  if (!created) return { "location-elsewhere": "refused" };
  const status = await subject.own.settled(created);
  if (status !== "ERROR") return { "location-elsewhere": status };
  const response = await subject.frontDoor.send("PATCH", "shares", created.id, { target });
  return { "location-elsewhere": status, "update-in-ERROR": verdictOf(response) };
}

/** The creates that the service can refuse: the row, a word for the name, and what is unusual. */
function refusableCreates(): Probe<ShareSubject>[] {
  const creates: [row: RowId, word: string, unusual: (of: ShareSubject, shown: Entry) => object | undefined][] = [
    ["same-port", "port", (_, { ingressPort }) => ({ ingressPort: Number(ingressPort) })],
    ["same-name", "name", ({ share }) => ({ name: share.name })],
    ["both-env-ids", "both", ({ envZId }) => ({ envId: `${envZId}-other` })],
    [
      "unknown-environment",
      "nowhere",
      ({ envZId }) => (envZId === noEnvironment ? undefined : { envZId: noEnvironment }),
    ],
    ["unknown-property", "stray", () => ({ noSuchProperty: "x" })],
  ];
  return creates.map(([row, word, unusual], index) => ({
    ...(index === 0 && { says: () => "Sending creates that Frontdoor can refuse…" }),
    run: async (subject) => {
      const more = unusual(subject, await subject.own.readBack(subject.share));
      if (!more) return {};
      const { response } = await createShare(subject, word, more);
      const verdict = verdictOf(response);
      return {
        [row]: row === "unknown-property" && verdict === "accepted" ? "ignored" : verdict,
        ...(row === "same-port" && conflictIn(response)),
      };
    },
  }));
}

/** Sends an update of the share once the service takes one. */
async function update({ frontDoor, own, share }: ShareSubject, method: "PUT" | "PATCH", body: object) {
  await own.quiet();
  return frontDoor.send(method, "shares", share.id, body);
}

async function patch(subject: ShareSubject): Promise<Found> {
  const { own, share } = subject;
  const before = await own.readBack(share);
  const response = await update(subject, "PATCH", { target: changedTarget });
  if (!isAccepted(response)) return {};
  const { status } = await own.readBack(share);
  await own.settled(share);
  const after = await own.readBack(share);
  const isKept = ["id", "name", "ingressPort", "envZId", "ipsecTunnelId"].every((name) => after[name] === before[name]);
  return {
    "update-status": String(response.status),
    "update-body": bodyOf(response),
    "update-recreates": own.isLagging && status === "DEPLOYED" ? "not seen in time" : String(status),
    "patch-keeps": !isKept ? "resets" : after["target"] === changedTarget ? "keeps" : "ignores the change",
  };
}

const bodyOf = ({ body }: { body: unknown }) => (textIn(objectIn(body)["id"]) === undefined ? "none" : "resource");

async function put(subject: ShareSubject): Promise<Found> {
  const { own, share, tunnelId: ipsecTunnelId } = subject;
  const { name, envZId, ingressPort } = await own.readBack(share);
  const response = await update(subject, "PUT", {
    name,
    envZId,
    ingressPort: Number(ingressPort),
    ipsecTunnelId,
    target,
  });
  await own.settled(share);
  return { "put-status": String(response.status) };
}

async function emptyPatch(subject: ShareSubject): Promise<Found> {
  const { own, share } = subject;
  const response = await update(subject, "PATCH", {});
  const { status } = isAccepted(response) ? await own.readBack(share) : {};
  await own.settled(share);
  return { "empty-patch": status === undefined ? "refused" : status === "NEW" ? "recreates" : "ignored" };
}

async function nullLocation(subject: ShareSubject): Promise<Found> {
  const response = await update(subject, "PATCH", { locationId: null });
  await subject.own.settled(subject.share);
  return { "null-location": verdictOf(response) };
}

async function deleteInNew(subject: ShareSubject): Promise<Found> {
  const { frontDoor, own } = subject;
  const { created } = await createShare(subject, "fresh");
  if (!created || (await own.readBack(created))["status"] !== "NEW") return {};
  return { "delete-in-NEW": verdictOf(await frontDoor.send("DELETE", "shares", created.id)) };
}

async function deleteShare({ frontDoor, own, share }: ShareSubject): Promise<Found> {
  await own.quiet();
  const response = await frontDoor.send("DELETE", "shares", share.id);
  if (!isAccepted(response)) return {};
  const isDeleting = (await own.readBack(share))["status"] === "DELETING";
  return {
    "delete-status": String(response.status),
    "delete-body": bodyOf(response),
    "delete-twice": isDeleting ? verdictOf(await frontDoor.send("DELETE", "shares", share.id)) : undefined,
  };
}

/** Waits until the share is deleted. */
async function deletedShare({ frontDoor, own, share: { id } }: ShareSubject): Promise<Found> {
  if (frontDoor.findings["delete-status"] === undefined) return {};
  const end = frontDoor.clock.now() + limitMs.shares;
  while (frontDoor.clock.now() < end) {
    const response = await frontDoor.get("shares", [], id);
    if (!isAccepted(response) || objectIn(response.body)["status"] === "DELETED") {
      await own.lag("list");
      const isListed = (await frontDoor.list("shares")).some((entry) => entry["id"] === id);
      return {
        "deleted-shown": isAccepted(response) ? "DELETED" : String(response.status),
        "deleted-listed": isListed ? "listed" : "left out",
      };
    }
    await frontDoor.clock.sleep(500);
  }
  return {};
}

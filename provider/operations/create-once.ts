import type { Named } from "../api/types";
import type { Config } from "../config";
import { failed, FrontdoorError } from "../errors";
import { adopted, identicalExists, notShown, resumed, resumeRefused } from "../messages/messages";
import { mayTakeEffect } from "../messages/answers";
import type { Service } from "../service";
import { isOver, type Until } from "../time/clock";
import { pauseAfter } from "../time/ticks";
import { type Created, type Creation, Post } from "./create";
import { type CreateStep, createStep } from "./create-step";

/**
 * Creates exactly one resource, and waits until it is DEPLOYED if the POST has told its id. Lists the resources of its name before each POST, and after a lost answer until that POST can no longer
 * take effect. The decisions are in create-step.ts. @throws FrontdoorError.
 */
export async function createOnce<Wire extends Named>(
  creation: Creation<Wire>,
  service: Service,
  until: Until,
): Promise<Created<Wire>> {
  const post = new Post(creation, service, until);
  try {
    return await postOrFind(creation, post, service, until);
  } catch (error) {
    // The id must reach the state, whatever the search for another one has met.
    if (post.unshown) return post.unshown;
    throw error;
  }
}

/** Lists, and sends or resumes a POST, until the resource has an id. @throws FrontdoorError. */
async function postOrFind<Wire extends Named>(
  { kind, label, body, isNameDerived, isIdentical }: Creation<Wire>,
  post: Post<Wire>,
  service: Service,
  until: Until,
): Promise<Created<Wire>> {
  const takeOver = takeOverFor(service.config, isNameDerived);
  const startedMs = kind.clock.now();
  for (;;) {
    const record = post.record();
    // Decided before the list: the POST may take effect after the service has made the list.
    const canTakeEffect = post.canTakeEffect(record);
    // An id that this run owns belongs to another resource of the program.
    const listed = (await kind.inventory.named(body.name, until, record && !canTakeEffect)).filter(
      ({ id }) => kind.ledger.stateOf(id) !== "owned",
    );
    const found = listed.find((entry) => (record ? post.isMatch(record, entry) : isIdentical(entry)));
    const step = createStep({
      record: record === undefined ? "none" : record.id === undefined ? "without id" : "with id",
      shows: found ? "a match" : "nothing",
      canTakeEffect,
      // The setting is about POSTs of earlier runs. A POST of this run is always resumed.
      takeOver: post.count > 0 ? "interrupted" : takeOver,
    });
    if (found) {
      const line = lineAbout(step, label, found.id);
      if (post.count === 0) service.say(line);
      return { id: post.recordId(found.id), found, isNamedByRecord: record?.id === found.id };
    }
    if (step === "post") {
      const id = await post.send(listed);
      const created = id === undefined ? undefined : await post.awaitDeployed(id);
      if (created) return created;
      continue;
    }
    if (isOver(kind.clock, until)) throw post.lastError ?? overdue(post.count > 0, label);
    await kind.clock.sleep(pauseAfter(kind.clock.now() - startedMs, kind.clock.random()), until.signal);
  }
}

/** Returns the error of a create at its deadline, if a POST without a lost answer does not show. */
const overdue = (isOfThisRun: boolean, label: string): FrontdoorError =>
  new FrontdoorError(isOfThisRun ? notShown(label) : mayTakeEffect(label), { kind: "timed-out" });

/** Returns the line about a resource that was found. @throws FrontdoorError if it is not taken. */
function lineAbout(step: CreateStep, label: string, id: string): string {
  if (step === "refuse") throw failed(identicalExists(label, id));
  if (step === "refuse to resume") throw failed(resumeRefused(label, id));
  return (step === "resume" ? resumed : adopted)(label, id);
}

/** Returns the setting for one create: `alike` applies only to a derived name. */
const takeOverFor = ({ takeOver }: Config, isNameDerived: boolean) =>
  takeOver === "alike" && !isNameDerived ? "interrupted" : takeOver;

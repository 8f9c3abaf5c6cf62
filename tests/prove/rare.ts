import { type FaultKind, requestOf } from "./faults";
import type { Ran } from "./run";

/** A fault, and the request that met it. */
export interface About {
  kind: FaultKind;
  method: string;
  path: string;
}

/** One run of a walk, and what led to it. */
export interface Moment {
  /** "edit": the run of the edit. "recovery": the same program again. "second recovery": again, after the recovery was cut off. "revert": the program before the edit. */
  stage: "edit" | "recovery" | "second recovery" | "revert";
  edit: string;
  fault?: About | undefined;
  /** The fault that cut off the recovery. */
  second?: About | undefined;
  ran: Ran;
}

/** How often a walk has met each rare state. */
export type Reached = Record<string, number>;

type Request = "POST tunnel" | "POST share" | "PATCH share" | "PUT share" | "DELETE tunnel" | "DELETE share";
type IsIt = (moment: Moment) => boolean;

const fault =
  (kind: FaultKind, request: Request): IsIt =>
  (moment) =>
    moment.fault?.kind === kind && requestOf(moment.fault) === request;
const during =
  (edit: RegExp): IsIt =>
  (moment) =>
    edit.test(moment.edit);
const at =
  (stage: Moment["stage"]): IsIt =>
  (moment) =>
    moment.stage === stage;
const sends =
  (request: Request): IsIt =>
  ({ ran }) =>
    ran.requests.some((each) => requestOf(each) === request);
const succeeds: IsIt = ({ ran }) => ran.error === undefined;
const fails: IsIt = ({ ran }) => ran.error !== undefined;
const not =
  (isIt: IsIt): IsIt =>
  (moment) =>
    !isIt(moment);
const all =
  (...conditions: IsIt[]): IsIt =>
  (moment) =>
    conditions.every((isIt) => isIt(moment));

const resumed = all(at("recovery"), succeeds);
const reverted = all(at("revert"), succeeds);

const isCutOff = (about: About | undefined): about is About => about?.kind.includes("killed") === true;
/** True if the run and its recovery are killed at the same request. */
const twice =
  (request: Request): IsIt =>
  ({ fault: one, second: other }) =>
    isCutOff(one) &&
    isCutOff(other) &&
    requestOf(one) === request &&
    requestOf(other) === request &&
    one.path === other.path;

/** Situations that the walks must reach together. `npm run prove` fails if they miss one. */
export const rareStates: Readonly<Record<string, IsIt>> = {
  "a tunnel's POST takes effect after its answer was lost": fault("takes effect late", "POST tunnel"),
  "a share's POST takes effect after its answer was lost": fault("takes effect late", "POST share"),
  "a share's POST takes effect late, and the program is reverted": all(
    fault("takes effect late", "POST share"),
    reverted,
  ),
  "a tunnel's POST never arrives, and the create succeeds": all(fault("never arrives", "POST tunnel"), succeeds),
  "a share's POST never arrives, and the create succeeds": all(fault("never arrives", "POST share"), succeeds),
  "the answer to a share's POST is lost, and no second POST is sent": all(
    fault("answer lost", "POST share"),
    ({ ran }) => ran.requests.filter((each) => requestOf(each) === "POST share").length <= 2,
  ),
  "a share's POST is answered with 503 after it took effect": fault("503 after", "POST share"),
  "a share's POST is answered with a web page": fault("malformed", "POST share"),
  "a tunnel's POST is refused as too many": fault("429", "POST tunnel"),
  "the provider is killed before a tunnel's POST, and the next run creates it": all(
    fault("provider killed before", "POST tunnel"),
    resumed,
    sends("POST tunnel"),
  ),
  "the provider is killed after a tunnel's POST, and the next run resumes it": all(
    fault("provider killed after", "POST tunnel"),
    resumed,
    not(all(sends("POST tunnel"), during(/never/))),
  ),
  "the provider is killed after a share's POST, and the next run resumes it": all(
    fault("provider killed after", "POST share"),
    resumed,
  ),
  "the provider is killed after a share's POST, and the program is reverted": all(
    fault("provider killed after", "POST share"),
    at("revert"),
  ),
  "the engine is killed before a share's POST, and the next run resumes it": all(
    fault("engine killed before", "POST share"),
    resumed,
  ),
  "the engine is killed before a tunnel's POST, and the program is reverted": all(
    fault("engine killed before", "POST tunnel"),
    at("revert"),
  ),
  "a PATCH never arrives": fault("never arrives", "PATCH share"),
  "the answer to a PATCH is lost": fault("answer lost", "PATCH share"),
  "a PATCH takes effect after its answer was lost": fault("takes effect late", "PATCH share"),
  "a PATCH is answered with 503 after it took effect": fault("503 after", "PATCH share"),
  "a PATCH is answered with a web page": fault("malformed", "PATCH share"),
  "a PATCH takes effect, the engine is killed, and the program is reverted": all(
    fault("engine killed before", "PATCH share"),
    reverted,
  ),
  "a PATCH takes effect, the provider is killed, and the next run sends none": all(
    fault("provider killed after", "PATCH share"),
    resumed,
    not(sends("PATCH share")),
  ),
  "the provider is killed before a PATCH, and the next run sends it": all(
    fault("provider killed before", "PATCH share"),
    resumed,
    sends("PATCH share"),
  ),
  "the answer to a PUT that clears a field is lost": all(fault("answer lost", "PUT share"), during(/^clear/)),
  "a PUT that clears a field takes effect late": all(fault("takes effect late", "PUT share"), during(/^clear/)),
  "the provider is killed after a PUT, and the next run succeeds": all(
    fault("provider killed after", "PUT share"),
    resumed,
  ),
  "a share's DELETE never arrives": fault("never arrives", "DELETE share"),
  "the answer to a share's DELETE is lost": fault("answer lost", "DELETE share"),
  "a share's DELETE takes effect late": fault("takes effect late", "DELETE share"),
  "the provider is killed after a share's DELETE, and the next run succeeds": all(
    fault("provider killed after", "DELETE share"),
    resumed,
  ),
  "a share is deleted by a killed run, and the program is reverted": all(
    fault("engine killed before", "DELETE share"),
    reverted,
    during(/^remove/),
  ),
  "the answer to a tunnel's DELETE is lost": fault("answer lost", "DELETE tunnel"),
  "a tunnel's DELETE takes effect late": fault("takes effect late", "DELETE tunnel"),
  "the provider is killed after a tunnel's DELETE, and the next run succeeds": all(
    fault("provider killed after", "DELETE tunnel"),
    resumed,
  ),
  "a tunnel replaced delete-first is gone, and the run is killed before the new one": all(
    fault("provider killed before", "POST tunnel"),
    during(/delete-first/),
    resumed,
  ),
  "a tunnel replaced delete-first is gone, and the program is reverted": all(
    fault("engine killed before", "POST tunnel"),
    during(/delete-first/),
    at("revert"),
  ),
  "a share moves to the new tunnel, and the engine is killed": all(
    fault("engine killed before", "PATCH share"),
    during(/create-first/),
    resumed,
  ),
  "a share moves to the new tunnel, and the answer is lost": all(
    fault("answer lost", "PATCH share"),
    during(/create-first/),
  ),
  "Ctrl-C comes while a tunnel is replaced": all(fault("Ctrl-C", "DELETE tunnel"), during(/replace/), fails),
  "Ctrl-C comes while a share is created": all(({ fault: one }) => one?.kind === "Ctrl-C", during(/^add/)),
  "a rename without alias is refused, and reverted": all(during(/^rename \w+$/), reverted),
  "a rename with adopt is cut off, and the next run goes on": all(during(/with adopt/), resumed),
  "an exchange of ports is refused, and reverted": all(during(/ports$/), reverted),
  "two kills in a row in one create": all(twice("POST share"), succeeds),
  "two kills in a row in one update": all(twice("PATCH share"), succeeds),
  "two kills in a row in one delete": all(twice("DELETE share"), succeeds),
  "two kills in a row in one delete of a tunnel": all(twice("DELETE tunnel"), succeeds),
  "a tunnel's POST of a killed run takes effect while the next run is under way": all(
    fault("provider killed, takes effect late", "POST tunnel"),
    resumed,
  ),
  "a share's POST of a killed run takes effect while the next run is under way": all(
    fault("provider killed, takes effect late", "POST share"),
    resumed,
  ),
  "a share's POST of a killed run takes effect while the reverted program runs": all(
    fault("provider killed, takes effect late", "POST share"),
    reverted,
  ),
  "a PATCH of a killed run takes effect while the next run is under way": all(
    fault("provider killed, takes effect late", "PATCH share"),
    resumed,
  ),
  "an edit that was done is reverted by an edit": all(during(/^revert/), at("edit"), succeeds),
};

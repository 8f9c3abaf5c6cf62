import { FrontdoorError } from "../../../provider/errors";
import {
  type Known,
  type RefusedStep,
  refusedStep,
  type Says,
  saysOf,
  shareDestination,
  tunnelDestination,
} from "../../../provider/operations/write";

const known: Known[] = ["not shown yet", "busy", "holder leaves", "holder stays", "tunnel gone", "nothing more"];

it.each<[Says, RefusedStep[]]>([
  ["for good", ["fail", "fail", "fail", "fail", "fail", "fail"]],
  ["not found", ["retry", "fail", "fail", "fail", "explain", "fail"]],
  ["wrong destination", ["retry", "fail", "wait", "explain", "explain", "fail"]],
  ["conflict", ["retry", "retry", "wait", "explain", "explain", "fail"]],
])("%s → %j, by what the run knows", (says, steps) => {
  expect(known.map((each) => refusedStep(says, each))).toEqual(steps);
});

const refusal = (status: number, words: string) =>
  new FrontdoorError("no", { kind: "refused", status, code: undefined, words: `${status} invalid_request: ${words}` });

it.each<[number, string, RegExp, Says]>([
  [400, "Value for `envZId` must be of `environment`", shareDestination, "for good"],
  [400, "Value for envZId must be of string", shareDestination, "for good"],
  [400, "value for 'ipsecTunnelId' must be of 'tunnel'.", shareDestination, "wrong destination"],
  [400, 'Value for "ingressPort" must be of free port', shareDestination, "wrong destination"],
  [400, "Value for <locationId> must be of location", shareDestination, "for good"],
  [400, "Value for <locationId> must be of location", tunnelDestination, "wrong destination"],
  [400, "Value for peerCidr must be of CIDR", tunnelDestination, "for good"],
  [400, "The value is not free", shareDestination, "conflict"],
  [404, "Value for `envZId` must be of `environment`", shareDestination, "not found"],
  ...[409, 412, 423, 425].map((status): [number, string, RegExp, Says] => [status, "no", shareDestination, "conflict"]),
  ...[401, 403, 405, 410, 422].map((status): [number, string, RegExp, Says] => [
    status,
    "no",
    shareDestination,
    "for good",
  ]),
])("%i %s of a write, where %s says its place, is %s", (status, words, place, says) => {
  expect(saysOf(refusal(status, words), place)).toBe(says);
});

it("takes an error that is no refusal for good", () => {
  expect(saysOf(new Error("no"), shareDestination)).toBe("for good");
  expect(saysOf(new FrontdoorError("no", { kind: "unreachable", mayHaveRun: true }), shareDestination)).toBe(
    "for good",
  );
});

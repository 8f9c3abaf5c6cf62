import provider from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { durationSeconds, passTimeoutsOn, timeoutSeconds } from "../../provider/hosts/dynamic/timeouts";

describe("a duration", () => {
  it.each([
    ["90s", 90],
    ["1h30m", 5_400],
    ["1.5m", 90],
    ["250ms", 0.25],
    ["1h2m3s4ms", 3_723.004],
  ])("%s is %d s", (text, seconds) => {
    expect(durationSeconds(text)).toBe(seconds);
  });

  it.each(["", "90", "s", "1 m", "-1s", "1d", "1e3s", `${"1".repeat(50)}s`, 90, null, undefined])(
    "%j is none",
    (text) => {
      expect(durationSeconds(text)).toBeUndefined();
    },
  );
});

describe("the timeout of an operation", () => {
  const noted = { __timeouts: { create: "1h", update: "2h", delete: "3h" } };
  const { CreateRequest, UpdateRequest, DeleteRequest } = provider;
  type Operation = keyof typeof noted.__timeouts;
  /** Properties as the dynamic host takes them out of the engine's request. */
  const handedOn = (operation: Operation, properties: Record<string, string>, seconds: number) => {
    const request = { create: new CreateRequest(), update: new UpdateRequest(), delete: new DeleteRequest() }[
      operation
    ];
    request.setTimeout(seconds);
    const given = Struct.fromJavaScript(properties);
    if (request instanceof UpdateRequest) {
      request.setNews(given);
      return request.getNews()?.toJavaScript() ?? {};
    }
    request.setProperties(given);
    return request.getProperties()?.toJavaScript() ?? {};
  };
  const ours = { __provider: 'exports.handler=()=>require("pulumi-frontdoor/dynamic").share()' };
  const others = { __provider: "exports.handler=()=>another()" };
  beforeAll(() => {
    passTimeoutsOn();
    passTimeoutsOn();
  });

  it.each<[Operation, number]>([
    ["create", 3_600],
    ["update", 7_200],
    ["delete", 10_800],
  ])("%s: is that of the engine's request, else what the class has noted", (operation, notedSeconds) => {
    expect(timeoutSeconds({ ...handedOn(operation, ours, 90), ...noted }, operation)).toBe(90);
    expect(timeoutSeconds({ ...handedOn(operation, ours, 0), ...noted }, operation)).toBe(notedSeconds);
    expect(timeoutSeconds(handedOn(operation, ours, 0), operation)).toBeUndefined();
    expect(handedOn(operation, others, 90)).toEqual(others);
    expect(handedOn(operation, { name: "web" }, 90)).toEqual({ name: "web" });
  });
});

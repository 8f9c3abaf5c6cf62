import provider from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { durationSeconds, passTimeoutsOn, timeoutSeconds } from "../../../provider/dynamic/timeouts";

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
  /** Properties as the dynamic host takes them out of the engine's request. */
  const ofCreate = (properties: Record<string, string>, seconds: number) => {
    const request = new CreateRequest();
    request.setProperties(Struct.fromJavaScript(properties));
    request.setTimeout(seconds);
    return request.getProperties()?.toJavaScript() ?? {};
  };
  const ours = { __provider: 'exports.handler=()=>require("pulumi-frontdoor/dynamic").share()' };
  const others = { __provider: "exports.handler=()=>another()" };
  beforeAll(() => {
    passTimeoutsOn();
    passTimeoutsOn();
  });

  it("is that of a create's request, else what the class has noted", () => {
    expect(timeoutSeconds({ ...ofCreate(ours, 90), ...noted }, "create")).toBe(90);
    expect(timeoutSeconds({ ...ofCreate(ours, 0), ...noted }, "create")).toBe(3_600);
    expect(timeoutSeconds(ofCreate(ours, 0), "create")).toBeUndefined();
  });

  it("is not added to another provider's resources", () => {
    expect(ofCreate(others, 90)).toEqual(others);
    expect(ofCreate({ name: "web" }, 90)).toEqual({ name: "web" });
  });

  it.each(["update", "delete"] as const)("is noted as the id is taken out of the request: %s", (operation) => {
    const handOn = (seconds: number) => {
      const request = operation === "update" ? new UpdateRequest() : new DeleteRequest();
      request.setId("shr-1");
      request.setTimeout(seconds);
      return request.getId();
    };
    expect(handOn(90)).toBe("shr-1");
    expect(timeoutSeconds(noted, operation)).toBe(90);
    expect(timeoutSeconds(noted, "create")).toBe(3_600);
    handOn(0);
    expect(timeoutSeconds(noted, operation)).toBe(operation === "update" ? 7_200 : 10_800);
  });
});

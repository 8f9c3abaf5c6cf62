import provider from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { durationMs, hearTimeouts, timeoutMs } from "../../provider/hosts/timeouts";

describe("a duration", () => {
  it.each([
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["1.5m", 90_000],
    ["250ms", 250],
    ["1h2m3s4ms", 3_723_004],
  ])("%s is %d ms", (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(["", "90", "s", "1 m", "-1s", "1d", "1e3s", `${"1".repeat(50)}s`, 90, null, undefined])(
    "%j is none",
    (text) => {
      expect(durationMs(text)).toBeUndefined();
    },
  );
});

describe("the timeout of an operation", () => {
  const ofOurs = { __provider: 'exports.handler=()=>require("pulumi-frontdoor/dynamic").share()' };
  const struct = (properties: object) => Struct.fromJavaScript(properties as Record<string, string>);
  /** What the dynamic host hands to a provider: the properties of the engine's request. */
  const handed = (kind: "create" | "update" | "delete", properties: object, seconds: number) => {
    const { CreateRequest, UpdateRequest, DeleteRequest } = provider;
    if (kind === "update") {
      const request = new UpdateRequest();
      request.setNews(struct(properties));
      request.setTimeout(seconds);
      return request.getNews()?.toJavaScript();
    }
    const request = kind === "create" ? new CreateRequest() : new DeleteRequest();
    request.setProperties(struct(properties));
    request.setTimeout(seconds);
    return request.getProperties()?.toJavaScript();
  };
  beforeAll(() => {
    hearTimeouts();
    hearTimeouts();
  });

  it.each(["create", "update", "delete"] as const)("is heard from the engine's request: %s", (kind) => {
    const props = handed(kind, { ...ofOurs, __timeouts: { [kind]: "1h" } }, 90) ?? {};
    expect(timeoutMs(props, kind)).toBe(90_000);
  });

  it("is what the class has noted where the request tells none", () => {
    const props = handed("create", { ...ofOurs, __timeouts: { create: "1h" } }, 0) ?? {};
    expect(timeoutMs(props, "create")).toBe(3_600_000);
    expect(timeoutMs(props, "update")).toBeUndefined();
  });

  it("is not added to another provider's resources", () => {
    const others = { __provider: "exports.handler=()=>another()", name: "web" };
    expect(handed("create", others, 90)).toEqual(others);
    expect(handed("update", { name: "web" }, 90)).toEqual({ name: "web" });
  });
});

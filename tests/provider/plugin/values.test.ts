import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { UNKNOWN } from "../../../provider/fields/field";
import { decoded, encoded } from "../../../provider/plugin/server";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = <T>(value: T) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

describe("properties as the engine spells them", () => {
  it("are read with unknowns and secrets apart, wherever they are", () => {
    const struct = Struct.fromJavaScript({
      ...{ name: "web", ingressPort: 443, locationId: null, target: unknown },
      envZId: secret("env-1"),
      ipsecTunnelId: secret(unknown),
      filters: ["a", unknown, secret("b")],
      nested: { here: { there: secret(1) } },
    });
    expect(decoded(struct)).toEqual({
      values: {
        ...{ name: "web", ingressPort: 443, locationId: null, target: UNKNOWN },
        ...{ envZId: "env-1", ipsecTunnelId: UNKNOWN, filters: ["a", UNKNOWN, "b"], nested: { here: { there: 1 } } },
      },
      secrets: ["envZId", "filters", "ipsecTunnelId", "nested"],
    });
  });

  it("are written so, and what is undefined is left out", () => {
    const values = {
      name: "web",
      locationId: undefined,
      envZId: "env-1",
      ipsecTunnelId: UNKNOWN,
      list: [UNKNOWN, { a: 1 }],
    };
    expect(encoded(values, ["envZId", "ipsecTunnelId", "locationId"]).toJavaScript()).toEqual({
      ...{ name: "web", envZId: secret("env-1"), ipsecTunnelId: secret(unknown) },
      list: [unknown, { a: 1 }],
    });
  });

  it("are only the core's if the state of a dynamic resource has others", () => {
    const struct = Struct.fromJavaScript({
      name: "web",
      __provider: "text",
      __timeouts: {},
      __secrets: [],
      __set: ["a"],
    });
    expect(decoded(struct).values).toEqual({ name: "web", __set: ["a"] });
  });
});

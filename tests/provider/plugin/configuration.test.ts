import { CheckRequest, DiffRequest, DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { UNKNOWN } from "../../../provider/fields/field";
import { checkedConfiguration, diffOfConfiguration } from "../../../provider/plugin/session";
import { decoded, encoded } from "../../../provider/plugin/server";

const containing = (text: string) => expect.stringContaining(text) as unknown;

const check = (settings: object, environment: NodeJS.ProcessEnv = {}) => {
  const response = checkedConfiguration(new CheckRequest().setNews(encoded(settings)), environment);
  const failures = response.getFailuresList().map((each) => [each.getProperty(), each.getReason()]);
  return { failures: Object.fromEntries(failures) as Record<string, string>, inputs: response.getInputs() };
};

describe("the configuration of a provider", () => {
  it("passes where it is right, its secrets marked as such", () => {
    const { failures, inputs } = check({ token: "t", version: "0.1.0", requestTimeout: "20" });
    expect(failures).toEqual({});
    expect(decoded(inputs)).toEqual({
      values: { token: "t", version: "0.1.0", requestTimeout: "20" },
      secrets: ["token"],
    });
  });

  it("is completed by the environment, which never gets among its inputs", () => {
    const { failures, inputs } = check({ frontdoorId: "fd-1" }, { FRONTDOOR_TOKEN: "outside" });
    expect(failures).toEqual({});
    expect(decoded(inputs).values).toEqual({ frontdoorId: "fd-1" });
  });

  it("is refused setting by setting", () => {
    const { failures } = check({
      baseUrl: "http://example.com/frontdoor",
      requestTimeout: "0",
      clientId: "a",
      fontdoorId: "b",
    });
    expect(failures).toEqual({
      baseUrl: containing("must begin with https://"),
      requestTimeout: containing("must be greater than 0"),
      tokenUrl: containing("[credentials-incomplete]"),
      fontdoorId: containing(
        "frontdoor:fontdoorId is no setting of the provider. Nothing was sent. Write frontdoor:frontdoorId instead.",
      ),
    });
  });

  it("is refused without a secret's value, which the engine shows beside the setting's name", () => {
    const { failures } = check({
      token: "hush\n",
      tokenUrl: "https://example.com/t",
      clientId: "c",
      clientSecret: "s",
    });
    expect(Object.keys(failures)).toEqual([""]);
    expect(failures[""]).toMatch(/^token \(a secret\): .*/);
    expect(JSON.stringify(failures)).not.toContain("hush");
  });

  it("is refused without the content of a credentials file that is given as its path", () => {
    const { failures } = check({ credentialsFile: '{"password":"hush"}' });
    expect(failures).toEqual({ "": containing("[credentials-file]") });
    expect(JSON.stringify(failures)).not.toContain("hush");
  });

  it("takes true and false as an SDK sends them", () => {
    expect(check({ token: "t", oneTunnelPerLocation: false }).failures).toEqual({});
    expect(check({ token: "t", oneTunnelPerLocation: "no" }).failures).toEqual({
      oneTunnelPerLocation: containing("must be true or false"),
    });
  });

  it("passes as far as it is not known yet", () => {
    expect(check({ token: UNKNOWN, requestTimeout: "0" }).failures).toEqual({
      requestTimeout: containing("must be greater than 0"),
    });
  });
});

describe("a change of the configuration", () => {
  const diff = (olds: object, news: object) => {
    const request = new DiffRequest().setOldInputs(encoded(olds)).setNews(encoded(news));
    const response = diffOfConfiguration(request);
    const { DIFF_SOME } = DiffResponse.DiffChanges;
    return {
      isChange: response.getChanges() === DIFF_SOME,
      changed: response.getDiffsList(),
      detailed: [...response.getDetaileddiffMap().keys()],
      replaces: response.getReplacesList(),
    };
  };

  it("is told by setting, and replaces no provider", () => {
    const [before, after] = [
      { token: "a", frontdoorId: "fd-1" },
      { token: "b", frontdoorId: "fd-2" },
    ];
    const changed = ["frontdoorId", "token"];
    expect(diff(before, after)).toEqual({ isChange: true, changed, detailed: changed, replaces: [] });
    expect(diff(before, before)).toEqual({ isChange: false, changed: [], detailed: [], replaces: [] });
    expect(diff({}, { token: UNKNOWN })).toMatchObject({ isChange: true, changed: ["token"], replaces: [] });
  });

  it("is one of the plugin's version alone to nobody", () => {
    expect(diff({ version: "0.1.0" }, { version: "0.2.0" }).isChange).toBe(false);
  });

  it("is read from the outputs by an engine that sends no old inputs", () => {
    const request = new DiffRequest().setOlds(Struct.fromJavaScript({ token: "a" })).setNews(encoded({ token: "a" }));
    expect(diffOfConfiguration(request).getDiffsList()).toEqual([]);
  });
});

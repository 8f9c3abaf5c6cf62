import { wireShare } from "../../../provider/api/wire";
import { type Table, UNKNOWN } from "../../../provider/fields/field";
import { rulesOf } from "../../../provider/fields/rules";
import { shareFields } from "../../../provider/fields/share";
import * as values from "../../../provider/fields/values";

const said = { doc: "A field.", is: values.label("anything") } as const;
const table = {
  name: {
    ...said,
    whenOmitted: "filled in",
    onChange: "update",
    visible: "always",
    meaning: (text) => text.toLowerCase(),
  },
  cleared: { ...said, whenOmitted: "cleared", onChange: "update", visible: "maybe" },
  unchanged: { ...said, whenOmitted: "unchanged", onChange: "replace", visible: "by get" },
  place: { ...said, whenOmitted: "unchanged", onChange: "move", visible: "maybe" },
  ignored: { ...said, whenOmitted: "unchanged", onChange: "ignore", visible: "nowhere" },
  status: { type: "string", doc: "A fact.", visible: "always" },
} satisfies Table;
type Values = { name: string } & { [Name in keyof typeof table]?: string };

const rules = rulesOf<Values & { frontdoorId: string; __set?: string[] }>(table);

const state = {
  name: "a",
  cleared: "b",
  unchanged: "c",
  frontdoorId: "fd-1",
  status: "DEPLOYED",
  __set: ["cleared", "unchanged"],
};

describe("the rules that follow from a table", () => {
  it("keep in the state what is shown, and of what an answer lacks that which can't have changed", () => {
    const known = { ...state, place: "p" };
    expect(rules.outputsOf({ name: "b", status: "NEW" }, known)).toEqual({
      ...{ name: "b", status: "NEW", cleared: undefined, unchanged: "c", place: "p" },
      ...{ frontdoorId: "fd-1", __set: ["cleared", "unchanged"] },
    });
  });

  it.each([
    ["nothing yet", undefined, { cleared: UNKNOWN, place: "p", unchanged: UNKNOWN }],
    ["it while it was ready", { ...state, place: "q" }, { cleared: UNKNOWN, place: "p", unchanged: "c" }],
    ["it, not ready", { ...state, status: "NEW" }, { cleared: UNKNOWN, place: "p", unchanged: UNKNOWN }],
  ])("tell outputs before a create or update, where the state holds %s", (_what, olds, others) => {
    const planned = rules.knownOutputs({ name: "b", place: "p", ignored: "d" }, olds);
    expect(planned).toEqual({ name: "b", status: "DEPLOYED", ...others });
  });
});

describe("what a share was asked for with", () => {
  it("is the same whatever its spelling and whatever else it has, and in the order of the records", () => {
    const share = {
      target: "[2001:DB8:0::1]:443",
      ingressPort: 1,
      ipsecTunnelId: "tnl-1",
      envZId: "env-1",
      name: "web",
    };
    const expected = ["web", "tnl-1", "env-1", '{"host":"2001:db8::1","port":443}', 1];
    expect(rulesOf(shareFields).required({ ...share, locationId: "loc-1", status: "NEW" })).toEqual(expected);
  });
});

describe("an entry of the service", () => {
  const entry = { id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", target: "a:1", ingressPort: 1, status: "NEW" };

  it("is read in one spelling, without what is no field and without empty values", () => {
    expect(wireShare.parse({ ...entry, envId: "env-1", locationId: "", more: 1 })).toEqual({
      ...entry,
      envZId: "env-1",
    });
  });

  it("is bare where it is going and shows no more than that, and wrong where it is not", () => {
    const { id, name } = entry;
    const bare = { id, name, status: "DELETING", ipsecTunnelId: "", envZId: "", target: "", ingressPort: 0 };
    expect(wireShare.parse({ id, name, status: "DELETING" })).toEqual(bare);
    const { error } = wireShare.safeParse({ id, name, status: "NEW" });
    expect(error?.issues.map(({ path }) => path.join())).toEqual(["ipsecTunnelId", "envZId", "target", "ingressPort"]);
  });
});

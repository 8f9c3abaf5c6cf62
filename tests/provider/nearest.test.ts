import { near, nearest } from "../../provider/nearest";

describe("the nearest name", () => {
  it.each([
    ["baseurl", "baseUrl"],
    ["tokn", "token"],
    ["clientsecrte", "clientSecret"],
    // Three edits are as many as there may be.
    ["scopeful", "scope"],
    ["scopefull", undefined],
    ["", undefined],
  ])("to %j is %j", (name, meant) => {
    expect(nearest(name, ["baseUrl", "token", "tokenUrl", "clientSecret", "scope"])).toBe(meant);
  });

  it("is the first of equally near ones, and none among none", () => {
    expect(nearest("ac", ["ab", "ad"])).toBe("ab");
    expect(nearest("ab", [])).toBeUndefined();
  });
});

describe("near names", () => {
  const names = ["shop-prod-hq", "shop-prod-plant", "hqs", "db", "Plant Nord"];
  it.each([
    ["hq", ["hqs", "shop-prod-hq"]],
    ["plant-prod", ["shop-prod-plant", "shop-prod-hq", "Plant Nord"]],
    ["nobody", []],
  ])("to %j are %j", (...[name, meant]) => {
    expect(near(name, names)).toEqual(meant);
  });
});

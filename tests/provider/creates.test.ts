import { Creates } from "../../provider/ownership/creates";
import { memoryRecords } from "./world";

describe("the record of a create whose answer never came", () => {
  const begun = { origin: "organization::urn:pulumi:dev::p::t::web", postedAtMs: 0, likeness: "x", before: ["shr-1"] };
  const noted = () => {
    const creates = new Creates(memoryRecords()).at(["share", "fd-1"]);
    creates.note("web", begun);
    return creates;
  };

  it("stays where a state shows what had the name before", () => {
    const creates = noted();
    creates.forget("web", "shr-1");
    expect(creates.find("web", begun.origin)).toEqual(begun);
  });

  it("goes where a state, be it another stack's, shows under its name what was not there before", () => {
    const creates = noted();
    creates.forget("web", "shr-2");
    expect(creates.find("web", begun.origin)).toBeUndefined();
  });
});

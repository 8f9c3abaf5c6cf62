import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";
import { edits } from "./impact-edits";
import { expectForetold } from "./impact-foretold";

// Each edit begins with what the one before it left.
describe.each(["pulumi-frontdoor", pluginClasses])("the impact of a preview, with %s", (imports) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ provisionMs: 50, teardownMs: 20 }, { imports });
  });
  afterAll(() => stack.close());

  it.each(edits)("names the writes that the service gets: %s", (...[, program]) => expectForetold(stack, program));
});

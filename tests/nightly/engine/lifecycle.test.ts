import { openEngine } from "../../lifecycle/engine";
import { isQuick, onEngine } from "../../lifecycle/engine-rows";

describe("the lifecycle on the engine, the other rows", () => {
  onEngine(openEngine, (index, host) => !isQuick(index, host));
});

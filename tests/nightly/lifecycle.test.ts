import { openEngine } from "../lifecycle/engine";
import { isQuick, onEngine } from "../lifecycle/engine-rows";
import { options } from "../lifecycle/rows/options";

describe("the lifecycle on the engine, the other rows", () => {
  onEngine(openEngine, (index, host) => !isQuick(index, host));
});

describe("Pulumi's options", () => {
  onEngine(
    openEngine,
    () => true,
    () => options,
  );
});

import { isQuick, onEngine, openEngine } from "./on-engine";
import { options } from "./rows/options";

describe("the lifecycle on the engine, the other rows", () => {
  onEngine(openEngine, (index) => !isQuick(index));
});

describe("Pulumi's options", () => {
  onEngine(
    openEngine,
    () => true,
    () => options,
  );
});

import { isQuick, onEngine, openEngine } from "./on-engine";
import { options } from "./rows/options";

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

import { openEngine, isQuick, onEngine } from "./on-engine";

describe("the lifecycle on the engine, a sixth of the rows", () => {
  onEngine(openEngine, isQuick);
});

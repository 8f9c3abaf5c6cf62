import { openEngine, isQuick, onEngine } from "./on-engine";

describe("the lifecycle on the engine, an eighth of the rows", () => {
  onEngine(openEngine, isQuick);
});

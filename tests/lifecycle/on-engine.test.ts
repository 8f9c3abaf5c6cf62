import { openEngine } from "./engine";
import { isQuick, onEngine } from "./engine-rows";

describe("the lifecycle on the engine, every other row", () => {
  onEngine(openEngine, isQuick);
});

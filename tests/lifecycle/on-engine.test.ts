import { openEngine } from "./engine";
import { isQuick, onEngine } from "./engine-rows";

describe("the lifecycle on the engine, a fifth of the rows", () => {
  onEngine(openEngine, isQuick);
});

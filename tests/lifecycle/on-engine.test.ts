import { openEngine } from "./engine";
import { isQuick, onEngine } from "./engine-rows";

describe("the lifecycle on the engine, an eighth of the rows", () => {
  onEngine(openEngine, isQuick);
});

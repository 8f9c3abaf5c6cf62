import { openEngine } from "./engine";
import { isQuick, onEngine } from "./engine-rows";

describe("the lifecycle on the engine, the other rows", () => {
  onEngine(openEngine, (row, index) => !isQuick(row, index));
});

import { openEngine } from "./engine";
import { onEngine } from "./engine-rows";

describe("the lifecycle on the engine, with a refresh in between", () => {
  onEngine(openEngine, ({ isRefreshed = false }) => isRefreshed);
});

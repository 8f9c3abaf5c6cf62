import { openEngine } from "./engine";
import { onEngine } from "./engine-rows";

describe("the lifecycle on the engine", () => {
  onEngine(openEngine, ({ isRefreshed }) => !isRefreshed);
});

import { isQuick, onEngine } from "./on-engine";

describe("the lifecycle on the engine, an eighth of the rows", () => {
  onEngine(isQuick);
});

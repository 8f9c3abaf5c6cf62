import { isQuick, onEngine, openEngine } from "./on-engine";
import { days } from "./rows/days";
import { options } from "./rows/options";

describe("the lifecycle on the engine, the other rows", () => {
  onEngine(openEngine, (index) => !isQuick(index));
});

describe("Pulumi's options", () => {
  onEngine(
    openEngine,
    () => true,
    () => options,
  );
});

describe("ordinary days, each with both adapters", () => {
  onEngine(
    openEngine,
    () => true,
    (adapter) => days.map((day) => ({ ...day, adapter })),
  );
});

import { isQuick, onEngine } from "./on-engine";
import { days } from "./rows/days";
import { options } from "./rows/options";

describe("the lifecycle on the engine, the other rows", () => {
  onEngine((index) => !isQuick(index));
});

describe("Pulumi's options", () => {
  onEngine(
    () => true,
    () => options,
  );
});

describe("ordinary days, each with both adapters", () => {
  onEngine(
    () => true,
    (adapter) => days.map((day) => ({ ...day, adapter })),
  );
});

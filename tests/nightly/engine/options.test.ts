import { openEngine } from "../../lifecycle/engine";
import { onEngine } from "../../lifecycle/engine-rows";
import { options } from "../../lifecycle/rows/options";

describe("Pulumi's options", () => {
  onEngine(
    openEngine,
    () => true,
    () => options,
  );
});

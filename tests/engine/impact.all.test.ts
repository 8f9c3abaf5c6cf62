import { pluginClasses } from "../harness/environment";
import { describeEdits } from "./impact-edits";

// The dynamic provider has the same rows in tests/engine/engine.long.test.ts.
describeEdits(pluginClasses);

import { pluginClasses } from "../harness/plugin";
import { describeEdits } from "./impact-edits";

// The dynamic provider has the same rows in tests/nightly/engine.test.ts.
describeEdits(pluginClasses);

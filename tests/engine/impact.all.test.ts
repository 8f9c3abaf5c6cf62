import { pluginClasses } from "../harness/environment";
import { describeEdits, describeRecorded } from "./impact-edits";

// The dynamic provider has the same rows in tests/engine/engine.long.test.ts.
describeEdits(pluginClasses);
describeRecorded(pluginClasses);

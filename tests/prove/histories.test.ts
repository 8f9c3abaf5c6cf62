import { testHistories } from "./walk-tests";

// histories.all.test.ts and histories.long.test.ts draw others.
testHistories(1, 60);

import { testHistories } from "./walk-tests";

// histories.all.test.ts and prove.long.test.ts draw others.
testHistories(1, 60);

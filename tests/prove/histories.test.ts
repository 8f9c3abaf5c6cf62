import { testHistories } from "./walk-tests";

// histories.all.test.ts and histories.long.test.ts draw others.
testHistories({ first: 1, last: 40 }, { first: 1, last: 3 });

import { testHistories } from "./walk-tests";

// tests/prove/histories.long.test.ts draws others.
testHistories({ first: 1, last: 100 }, { first: 1, last: 6 });

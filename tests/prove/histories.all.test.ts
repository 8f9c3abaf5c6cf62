import { testHistories } from "./walk-tests";

testHistories({ first: 41, last: 250 }, { first: 4, last: 15 });

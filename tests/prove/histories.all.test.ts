import { testHistories } from "./walk-tests";

testHistories({ first: 101, last: 250 }, { first: 7, last: 15 });

import { testHistories } from "./walk-tests";

testHistories(61, 400);

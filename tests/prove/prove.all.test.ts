import { testWalks } from "./walk-tests";

testWalks({ everyNthFault: 8, countsFrom: 1 });

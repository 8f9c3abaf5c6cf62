import { testWalks } from "./walk-tests";

testWalks({ everyNthFault: 12, countsFrom: 1 });

import { pairJobs } from "./jobs";
import { testPairs, testWalks } from "./walk-tests";

testWalks({ everyNthFault: 12, countsFrom: 1, stride: 4 });
testPairs(1, pairJobs);

import { jobs } from "./jobs";
import { testPairs, testWalks } from "./walk-tests";

// prove.all.test.ts continues from every world, and tries pairs on each variant of the service.
testWalks({ everyNthFault: 51, countsFrom: 0, stride: 6 });
testPairs(0, jobs);

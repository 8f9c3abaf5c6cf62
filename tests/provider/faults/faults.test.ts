import { lastingFaults, onceFaults } from "./fault-list";
import { faultsAt } from "./fault-matrix";
import { kinds } from "./kinds";

// tests/nightly/faults.test.ts has every fault.
faultsAt(kinds, { once: onceFaults, untilItHeals: lastingFaults, slow: {} });

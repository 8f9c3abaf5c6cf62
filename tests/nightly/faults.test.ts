import { quickFaults, slowFaults } from "../provider/faults/fault-list";
import { faultsAt } from "../provider/faults/fault-matrix";
import { kinds } from "../provider/faults/kinds";

faultsAt(kinds, { once: quickFaults, untilItHeals: quickFaults, slow: slowFaults });

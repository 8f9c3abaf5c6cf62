import { faultsAt, ofOneShare, ofShares } from "./fault-matrix";
import { setCreate, setDelete, setUpdate } from "./set-scenarios";

// The other requests are in tests/nightly/faults-of-sets.test.ts.
faultsAt({
  "POST in a set's create": { where: { method: "POST", path: ofShares }, scenario: setCreate },
  "PATCH in a set's update": { where: { method: "PATCH", path: ofOneShare }, scenario: setUpdate },
  "DELETE in a set's delete": { where: { method: "DELETE", path: ofOneShare }, scenario: setDelete },
});

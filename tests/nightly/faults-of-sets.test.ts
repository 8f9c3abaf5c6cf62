import { faultsAt, ofOneShare, ofShares } from "../provider/faults/fault-matrix";
import { setCreate, setDelete, setUpdate } from "../provider/faults/set-scenarios";

faultsAt({
  "list in a set's create": { where: { method: "GET", path: ofShares }, scenario: setCreate },
  "PUT in a set's update": { where: { method: "PUT", path: ofOneShare }, scenario: setUpdate },
  "POST in a set's update": { where: { method: "POST", path: ofShares }, scenario: setUpdate },
  "DELETE in a set's update": { where: { method: "DELETE", path: ofOneShare }, scenario: setUpdate },
  "list in a set's update": { where: { method: "GET", path: ofShares }, scenario: setUpdate },
  "list in a set's delete": { where: { method: "GET", path: ofShares }, scenario: setDelete },
});

import { acceptUpdated } from "../../../provider/waiting/acceptors";
import { type Plan, planShareUpdate } from "../../../provider/resources/plan";
import { rules, type ShareInputs, type ShareOutputs } from "../../../provider/fields/share";
import { shareInputs } from "../world";

const inputs = shareInputs("tnl-1");
const news: ShareInputs = { ...inputs, target: "new.internal:1" };
const located: ShareInputs = { ...inputs, locationId: "loc-2" };
const put = (body: ShareInputs) => ({ method: "PUT", body: rules.fullBody(body) });

/** A share in the state. */
const state = (of: ShareInputs, status: string): ShareOutputs => ({ ...of, status, __set: rules.setBy(of) });
/** The share as the service shows it. */
const shown = (of: ShareInputs, status: string) => ({ id: "shr-1", ...of, status });

/** Says how the wait takes each sight of the share: right after the write, then 30 s later. */
const taken = ({ evidence }: Plan, ...sights: ReturnType<typeof shown>[]) =>
  sights.map((seen) =>
    [0, 30_000].map((waitedMs) => acceptUpdated(evidence)(seen, { waitedMs, statuses: new Set([seen.status]) }).now),
  );
const waiting = ["waiting", "waiting"];
const late = ["waiting", "done"];
const done = ["done", "done"];

describe("an update of a share", () => {
  it("DEPLOYED, changed, the service shows old values: PATCH of the changed fields, until the new values show", () => {
    const plan = planShareUpdate(state(inputs, "DEPLOYED"), shown(inputs, "DEPLOYED"), news);
    expect(plan.write).toEqual({ method: "PATCH", body: { target: news.target } });
    const sights = [shown(inputs, "DEPLOYED"), shown(news, "NEW"), shown({ ...news, ingressPort: 9 }, "DEPLOYED")];
    expect(taken(plan, ...sights)).toEqual([waiting, waiting, done]);
  });

  it("DEPLOYED, an optional field cleared: PUT, until the cleared value differs or 30 s have passed", () => {
    const plan = planShareUpdate(state(located, "DEPLOYED"), shown(located, "DEPLOYED"), inputs);
    expect(plan.write).toEqual(put(inputs));
    const sights = [shown(located, "DEPLOYED"), shown({ ...inputs, locationId: "loc-1" }, "DEPLOYED")];
    expect(taken(plan, ...sights)).toEqual([late, done]);
  });

  it("DEPLOYED, changed, the service shows the new values already: no write, until DEPLOYED", () => {
    const plan = planShareUpdate(state(inputs, "DEPLOYED"), shown(news, "NEW"), news);
    expect(plan.write).toBeUndefined();
    expect(taken(plan, shown(news, "NEW"), shown(news, "DEPLOYED"))).toEqual([waiting, done]);
  });

  it("NEW: PATCH of what differs from the state or the service", () => {
    const there = { ...inputs, ingressPort: 1 };
    const plan = planShareUpdate(state(inputs, "NEW"), shown(there, "DEPLOYED"), news);
    expect(plan.write).toEqual({ method: "PATCH", body: { target: news.target, ingressPort: 443 } });
    expect(taken(plan, shown(there, "DEPLOYED"), shown(news, "DEPLOYED"))).toEqual([waiting, done]);
  });

  it("NEW, the program is reverted, the service shows the old values: PATCH; the old DEPLOYED proves nothing for 30 s", () => {
    const plan = planShareUpdate(state(news, "NEW"), shown(inputs, "DEPLOYED"), inputs);
    expect(plan.write).toEqual({ method: "PATCH", body: { target: inputs.target } });
    expect(taken(plan, shown(inputs, "DEPLOYED"))).toEqual([late]);
  });

  it("NEW, nothing differs: no write, until DEPLOYED", () => {
    const plan = planShareUpdate(state(news, "NEW"), shown(news, "NEW"), news);
    expect(plan.write).toBeUndefined();
    expect(taken(plan, shown(news, "NEW"), shown(news, "DEPLOYED"))).toEqual([waiting, done]);
  });

  it("ERROR, the same, the service shows ERROR: PUT, until the status has left ERROR or 30 s have passed", () => {
    const plan = planShareUpdate(state(inputs, "ERROR"), shown(inputs, "ERROR"), inputs);
    expect(plan.write).toEqual(put(inputs));
    expect(taken(plan, shown(inputs, "ERROR"), shown(inputs, "DEPLOYED"))).toEqual([["waiting", "failed"], done]);
  });
});

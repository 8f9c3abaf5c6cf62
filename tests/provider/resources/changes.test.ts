import { changesByProperty } from "../../../provider/lifecycle/lifecycle";

it("tells what differs by its path, and of what one side lacks the whole", () => {
  const olds = { target: "a:1", size: 1, shares: { web: { target: "a:1", ingressPort: 1 }, old: { target: "b:1" } } };
  const news = { target: "a:1", name: "x", shares: { web: { target: "a:2", ingressPort: 1 }, new: { target: "c:1" } } };
  expect(changesByProperty(olds, news, ["name", "status"])).toEqual({
    name: "add-replace",
    size: "delete",
    'shares["web"].target': "update",
    'shares["old"]': "delete",
    'shares["new"]': "add",
    status: "update-replace",
  });
});

import { createStep, type CreateStep, type Sighting } from "../../../provider/operations/create";

const usual = { canTakeEffect: false, takeOver: "interrupted" } as const;

it.each<[string, Partial<Sighting>, CreateStep]>([
  ["no record, nothing identical", { record: "none", shows: "nothing" }, "post"],
  ["no record, an identical one", { record: "none", shows: "a match" }, "refuse"],
  ["no record, an identical one, takeOver: alike", { record: "none", shows: "a match", takeOver: "alike" }, "adopt"],
  ["no record, an identical one, takeOver: never", { record: "none", shows: "a match", takeOver: "never" }, "refuse"],
  ["a record with id, that id", { record: "with id", shows: "a match" }, "resume"],
  [
    "a record with id, that id, takeOver: never",
    { record: "with id", shows: "a match", takeOver: "never" },
    "refuse to resume",
  ],
  ["a record without id, a new identical one", { record: "without id", shows: "a match" }, "resume"],
  ["a record without id, nothing yet", { record: "without id", shows: "nothing", canTakeEffect: true }, "poll"],
  ["a record without id, nothing any more", { record: "without id", shows: "nothing" }, "post"],
])("%s: %j → %s", (_row, sighting, step) => {
  expect(createStep({ ...usual, record: "none", shows: "nothing", ...sighting })).toBe(step);
});

// The parent of a test's process is no engine. Imported first, because nothing hoists the call.
jest.mock("../../provider/engine/engine", () => ({
  ...jest.requireActual<object>("../../provider/engine/engine"),
  watchEngine: jest.fn(),
}));

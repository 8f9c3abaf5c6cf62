// The parent of a test's process is no engine. Imported first, because nothing hoists the call.
jest.mock("../../provider/host/engine", () => ({
  ...jest.requireActual<object>("../../provider/host/engine"),
  watchEngine: jest.fn(),
}));

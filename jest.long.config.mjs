import config from "./jest.config.mjs";

/** @type {import("jest").Config} The tests that `npm test` leaves out: `npm run test:long`. */
export default {
  ...config,
  testMatch: ["<rootDir>/tests/{languages,nightly,release}/**/*.test.ts"],
  testPathIgnorePatterns: [],
};

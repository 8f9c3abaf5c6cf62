import process from "node:process";
import config from "./jest.config.mjs";

process.env.FRONTDOOR_TEST_IMPORTS = "pulumi-frontdoor/plugin";

/** @type {import("jest").Config} The tests on the engine, with the plugin's classes in their programs: `npm run test:plugin`. */
export default {
  ...config,
  testMatch: ["<rootDir>/tests/{engine,lifecycle,nightly/engine}/*.test.ts", "<rootDir>/tests/policy/engine.test.ts"],
  testPathIgnorePatterns: [],
};

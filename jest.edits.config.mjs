import config from "./jest.config.mjs";

/** @type {import("jest").Config} Every option and move of a program on a real engine: `npm run test:edits`. */
export default { ...config, testMatch: ["<rootDir>/tests/edits/*.test.ts"], testPathIgnorePatterns: [] };

/** @type {import("jest").Config} */
module.exports = {
  transform: { "\\.ts$": ["ts-jest", { isolatedModules: true }] },
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
};

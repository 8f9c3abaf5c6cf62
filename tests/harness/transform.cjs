const { transformSync } = require("esbuild");

/** Strips the types of one file. `npm run lint` and `npm test` check them. jest.mock() is not hoisted: call it before a require. */
module.exports = {
  process(text, path) {
    const options = { loader: "ts", format: "cjs", target: "node22", sourcefile: path, sourcemap: "inline" };
    return { code: transformSync(text, options).code };
  },
};

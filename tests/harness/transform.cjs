const { transformSync } = require("esbuild");

/**
 * Strips the types of one file, or makes CommonJS of a module of the page. `npm run lint` and `npm test` check the types. jest.mock() is not
 * hoisted: call it before a require.
 */
module.exports = {
  process(text, path) {
    const options = { loader: "ts", format: "cjs", target: "node22", sourcefile: path, sourcemap: "inline" };
    // The command imports its parts when it needs them; there are no `.js` files beside the sources.
    const required = path.includes("/tests/") ? text : text.replace(/\bimport\("(\.[^"]*)\.js"\)/g, 'import("$1")');
    return { code: transformSync(required, { ...options, supported: { "dynamic-import": false } }).code };
  },
};

const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Without times of an earlier run jest begins with the largest files. Tests that are drawn or come from a table are small files and the
 * longest runs: begun last, they would run alone in the end.
 */
const longest = /tests\/(engine|lifecycle|prove)/;

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(({ path }) => longest.test(path)), ...sorted.filter(({ path }) => !longest.test(path))];
  }
};

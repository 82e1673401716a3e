// The order of the files of a suite: those that take longest first, so that no core waits at the end for one of them.
// Jest goes by the times of the run before, and by the size of the files where there was none, as in a fresh checkout.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take long for their size, from the longest on. */
const long = [
  'e2e/long-chats',
  'e2e/overrides',
  'e2e/writing',
  'e2e/recovery',
  'e2e/contract',
  'e2e/vault-help',
  'e2e/reach-context',
  'e2e/providers',
  'e2e/asking',
  'e2e/context-bar',
  'e2e/goals',
  'e2e/writing-seeds-1',
  'e2e/writing-seeds-2',
  'e2e/chaos',
  'unit/scripts/bench',
  'unit/models/cuts',
  'unit/tokens/counting',
  'unit/scripts/prompt',
  'unit/scripts/prompt-pairs',
  'unit/scripts/scoreboard',
  'unit/models/mutated-streams',
  'property/markup',
].map((name) => path.resolve(__dirname, `../test/${name}.test.ts`));

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    if (sorted.some(({ duration }) => duration)) return sorted;
    const placeOf = ({ path: file }) => (long.includes(file) ? long.indexOf(file) : long.length);
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
};

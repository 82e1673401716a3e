// Orders the files of a run: the slowest first, so that no core waits at the end for one of them, and walks among tests
// that only compute, which use the cores while a walk waits. Jest uses the times of the previous run, and the size of the
// files if there was none, as in a fresh checkout.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that are slow for their size, the slowest first. */
const long = [
  'e2e/app/accessibility',
  'e2e/prompt/overrides',
  'e2e/driver/compare-styles',
  'e2e/chat/context-bar',
  'e2e/models/providers',
  'e2e/servers/sdk-calls',
  'e2e/chat/sub-agents',
  'e2e/servers/servers',
  'e2e/chat/long-chats',
  'e2e/models/providers-faults',
  'e2e/writing/recovery',
  'e2e/prompt/prompts',
  'e2e/app/look',
  'e2e/writing/writing',
  'workbench/test/browser/contract',
  'e2e/chat/session',
  'e2e/chat/goals',
  'e2e/chat/asking',
  'e2e/app/vault-help',
  'e2e/prompt/reach-context',
  'e2e/writing/writing-seeds-1',
  'e2e/writing/writing-seeds-2',
  'e2e/app/chaos',
  'property/compaction',
  'property/render',
  'property/requests',
  'unit/core/prompt/composition/whole-text',
  'unit/models/recordings',
  'unit/scripts/scoreboard',
  'unit/refused-writes',
  'unit/vault/hidden-notes',
  'property/branches',
  'property/markup',
  'unit/core/context/compaction/compact-in-chat',
  'unit/scripts/bench',
  'unit/models/cuts',
  'unit/models/mutated-streams',
  'unit/tokens/counting',
  'property/running-state',
  'unit/scripts/prompt',
  'unit/scripts/prompt-pairs',
  'conformance/mutants',
  'unit/core/prompt/composition/offered-names',
  'unit/core/context/compaction/control',
  'unit/scripts/mutate',
  'unit/scripts/whole-turns',
].map((name) => path.resolve(__dirname, `../../test/${name}.test.ts`));

const isWalk = ({ context }) => context.config.displayName?.name === 'browser';

module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    if (!sorted.some(({ duration }) => duration)) {
      const placeOf = ({ path: file }) => (long.includes(file) ? long.indexOf(file) : long.length);
      sorted.sort((one, other) => placeOf(one) - placeOf(other));
    }
    const walks = sorted.filter(isWalk);
    return mix(
      walks,
      sorted.filter((test) => !isWalk(test)),
    );
  }
};

/** Joins two lists so that at each place as large a part of the one is through as of the other. */
function mix(...lists) {
  const placed = lists.flatMap((list) => list.map((item, index) => ({ item, place: (index + 0.5) / list.length })));
  return placed.sort((one, other) => one.place - other.place).map(({ item }) => item);
}

// Orders a run that ends at the first failure: the files that took the least time before, or the smallest, first.
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class ShortestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].reverse();
  }
};

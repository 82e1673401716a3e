// Prose files (templates, section texts) are imported as strings, in tests as in the bundle.
const { createHash } = require('node:crypto');
const { mutate } = require('../conformance/jest-mutant.cjs');

const compile = (text, file) => `module.exports = ${JSON.stringify(mutate(text, file))};`;

module.exports = {
  process: (text, file) => ({ code: compile(text, file) }),
  // A mutant's text must not be taken from the cache, nor stay there for others.
  getCacheKey: (text, file) =>
    createHash('sha256')
      .update(`${file}\n${compile(text, file)}`)
      .digest('hex'),
};

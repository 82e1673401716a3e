// Imports prose files (templates, section texts) as strings, in tests as in the bundle.
const { createHash } = require('node:crypto');
const { mutate } = require('../conformance/jest-mutant.cjs');

const compile = (text, file) => `module.exports = ${JSON.stringify(mutate(text, file))};`;

module.exports = {
  process: (text, file) => ({ code: compile(text, file) }),
  // A mutant's text must neither come from the cache nor stay in it for others.
  getCacheKey: (text, file) =>
    createHash('sha256')
      .update(`${file}\n${compile(text, file)}`)
      .digest('hex'),
};

// Compiles sources by swc, after the change of a mutant if there is one.
const { createTransformer } = require('@swc/jest');
const { mutate } = require('./jest-mutant.cjs');

module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      process: (text, file, jestOptions) => swc.process(mutate(text, file), file, jestOptions),
      // By the changed text: all other files share the cache with every other run.
      getCacheKey: (text, file, jestOptions) => swc.getCacheKey(mutate(text, file), file, jestOptions),
    };
  },
};

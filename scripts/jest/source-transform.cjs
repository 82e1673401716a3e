// Compiles sources with swc, after applying the change of a mutant if there is one.
const { createTransformer } = require('@swc/jest');
const { mutate } = require('../conformance/jest-mutant.cjs');

/** Leaves CommonJS packages unchanged, because Node can read them as they are and some are megabytes long. */
const isCommonJs = (text, file) =>
  file.includes('/node_modules/') && !file.endsWith('.mjs') && !/(?:^|[;}\s])(?:import|export)\b[\s{*"']/.test(text);

module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      process: (text, file, jestOptions) =>
        isCommonJs(text, file) ? { code: text } : swc.process(mutate(text, file), file, jestOptions),
      // By the changed text, so that all other files share the cache with every other run.
      getCacheKey: (text, file, jestOptions) => swc.getCacheKey(mutate(text, file), file, jestOptions),
    };
  },
};

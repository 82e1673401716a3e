// Compiles sources by swc, after the change of a mutant if there is one.
const { createTransformer } = require('@swc/jest');
const { mutate } = require('../conformance/jest-mutant.cjs');

/** A package in CommonJS is what Node reads already; some are megabytes long. */
const isCommonJs = (text, file) =>
  file.includes('/node_modules/') && !file.endsWith('.mjs') && !/(?:^|[;}\s])(?:import|export)\b[\s{*"']/.test(text);

module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      process: (text, file, jestOptions) =>
        isCommonJs(text, file) ? { code: text } : swc.process(mutate(text, file), file, jestOptions),
      // By the changed text: all other files share the cache with every other run.
      getCacheKey: (text, file, jestOptions) => swc.getCacheKey(mutate(text, file), file, jestOptions),
    };
  },
};

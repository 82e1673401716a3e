// Imports prose files in tests as in the bundle: texts as strings, and templates, NAME.eta.md, as functions.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { compileTemplate } from '../build/compile-template.mjs';
import jestMutant from '../conformance/jest-mutant.cjs';

const root = path.resolve(import.meta.dirname, '../..');

function compile(source, file) {
  const text = jestMutant.mutate(source, file);
  if (!file.endsWith('.eta.md')) return `module.exports = ${JSON.stringify(text)};`;
  const code = compileTemplate(text, path.relative(root, file));
  return code.replace(/^export default /, 'exports.__esModule = true;\nexports.default = ');
}

export default {
  process: (text, file) => ({ code: compile(text, file) }),
  // A mutant's text must neither come from the cache nor stay in it for others.
  getCacheKey: (text, file) =>
    createHash('sha256')
      .update(`${file}\n${compile(text, file)}`)
      .digest('hex'),
};

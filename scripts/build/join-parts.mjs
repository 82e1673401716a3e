// Joins the parts into which the bundler splits the plugin to one file, because a vault takes only one main.js. What
// the plugin imports later, such as when its chat view opens, becomes one function per part: the engine skips such a
// function when it compiles main.js while Obsidian starts, and runs it when the part is first imported.
import path from 'node:path';
import { transform } from 'esbuild';

/** Modules of Obsidian and of Node are required as usual. */
const prelude = (parts) => `"use strict";
var parts = {${parts.join(',\n')}};
var taken = {};
var outside = require;
function take(name) {
  if (!Object.hasOwn(parts, name)) return outside(name);
  if (!Object.hasOwn(taken, name)) parts[name]((taken[name] = { exports: {} }), taken[name].exports, take);
  return taken[name].exports;
}
`;

/**
 * @param outputFiles modules of esbuild that import one another by relative names; the one named main.js is the plugin
 * @param options how esbuild writes each of them
 * @returns the text of a CommonJS script
 */
export async function joinParts(outputFiles, options) {
  const files = [...outputFiles].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = [];
  let main = '';
  for (const file of files) {
    const { code } = await transform(file.text, { ...options, format: 'cjs' });
    const name = path.basename(file.path);
    if (name === 'main.js') main = code;
    else parts.push(`${JSON.stringify(`./${name}`)}(module,exports,require){${code}}`);
  }
  return `${prelude(parts)}(function(require){${main}})(take);\n`;
}

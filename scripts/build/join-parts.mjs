// Makes one file of the parts that the bundler cuts a plugin into, since a vault takes only one main.js. What the plugin
// imports later, as when its pane is opened, becomes one function a part: the engine passes over such a function when it
// compiles main.js at a start of the app, and runs it when the part is first asked for.
import path from 'node:path';
import { transform } from 'esbuild';

/** Modules of the app and of Node are asked for as ever. */
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
 * @param options how esbuild is to write each of them
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

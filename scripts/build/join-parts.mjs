// Joins the parts into which the bundler splits the plugin to one file, because a vault takes only one main.js. What
// the plugin imports later, such as when its chat view opens, becomes one function per part: the engine skips such a
// function when it compiles main.js while Obsidian starts, and runs it when the part is first imported.
import path from 'node:path';
import { transform } from 'esbuild';

/** Modules of Obsidian and of Node are required as usual. */
const prelude = (helpers, parts) => `"use strict";
var parts = {${parts.join(',\n')}};
var taken = {};
var outside = require;
${helpers.join('')}function take(name) {
  if (!Object.hasOwn(parts, name)) return outside(name);
  if (!Object.hasOwn(taken, name)) parts[name]((taken[name] = { exports: {} }), taken[name].exports, take);
  return taken[name].exports;
}
`;

/** What follows the helpers that the bundler writes at the head of a part. */
const headEnd = 'var stdin_exports = {};\n';

/** Takes the helpers off a part, by their names: each part would carry a copy of the same ones. */
function splitHelpers(code) {
  const end = Math.max(code.indexOf(headEnd), 0);
  const helpers = code.slice(0, end).split(/^(?=var )/m);
  return { helpers: helpers.map((text) => [/^var (\w+)/.exec(text)?.[1], text]), rest: code.slice(end) };
}

/** What the bundler writes for the exports of a part. */
const exportsByCall =
  /^var stdin_exports = \{\};\n__export\(stdin_exports, \{([^{}]*)\}\);\nmodule\.exports = __toCommonJS\(stdin_exports\);\n/m;

/**
 * Writes what a part exports as getters of one object. The bundler's helpers define each by a call and copy them all to
 * a second object, which took a twelfth of the time in which main.js and all its parts load.
 * @throws if the bundler writes something else now
 */
function exportAsObject(code, name) {
  if (!code.includes('__export(')) return code;
  const [whole, list] = exportsByCall.exec(code) ?? [];
  if (whole === undefined) throw new Error(`${name}: exports are written in another way now; see join-parts.mjs.`);
  const getters = Array.from(list.matchAll(/^ *([\w$]+): \(\) => ([\w$.]+),?$/gm), ([, key, value]) => {
    return `get ${key}() { return ${value}; }`;
  });
  if (getters.length !== list.trim().split('\n').length) throw new Error(`${name}: an export is no name: ${list}`);
  return code.replace(whole, () => `module.exports = { __esModule: true, ${getters.join(', ')} };\n`);
}

/**
 * @param outputFiles modules of esbuild that import one another by relative names; the one named main.js is the plugin
 * @param options how esbuild writes each of them
 * @returns the text of a CommonJS script
 */
export async function joinParts(outputFiles, options) {
  const files = [...outputFiles].sort((a, b) => (a.path < b.path ? -1 : 1));
  // A part is named by a number, because every part names most of the others.
  const numbers = new Map(files.map((file, index) => [`./${path.basename(file.path)}`, index]));
  const helpers = new Map();
  const parts = [];
  let main = '';
  for (const [index, file] of files.entries()) {
    const isMain = path.basename(file.path) === 'main.js';
    const asCommonJs = { ...options, format: 'cjs', logLevel: 'warning' };
    const { code: written } = await transform(file.text, { ...asCommonJs, minify: false });
    const split = splitHelpers(written);
    for (const [name, text] of split.helpers) helpers.set(name, text);
    const exporting = isMain ? split.rest : exportAsObject(split.rest, file.path);
    const named = exporting.replace(/"(\.\/[\w-]+\.js)"/g, (text, name) => numbers.get(name) ?? text);
    const { code } = await transform(named, asCommonJs);
    if (isMain) main = code;
    else parts.push(`${index}(module,exports,require){${code}}`);
  }
  return `${prelude([...helpers.values()], parts)}(function(require){${main}})(take);\n`;
}

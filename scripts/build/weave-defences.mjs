// Gives each defence a switch, in a bundle for the scoreboard and nowhere else: `globalThis.docentDefenceOff` names the
// one that is off. The bundle of the plugin is built without this.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const isOff = (id) => `globalThis.docentDefenceOff === ${JSON.stringify(id)}`;

/**
 * Returns the text with the switches of these cuts: `find` is an expression, in place of which `off` is evaluated, or
 * with `first`, the head of a function, which begins with that statement.
 * @throws unless each text to find occurs exactly once
 */
export function weaveDefences(text, cuts) {
  return cuts.reduce((woven, { id, find, off, first }) => {
    const parts = woven.split(find);
    if (parts.length !== 2) throw new Error(`${id}: “${find}” occurs ${parts.length - 1} times, not once.`);
    const put =
      first === undefined ? `(${isOff(id)} ? (${off}) : (${find}))` : `${find} if (${isOff(id)}) { ${first} }`;
    return parts.join(put);
  }, text);
}

/** Returns the cuts of all defences, by file. */
export function cutsByFile(defences) {
  const byFile = new Map();
  for (const { id, cuts } of defences) {
    for (const cut of cuts) byFile.set(cut.file, [...(byFile.get(cut.file) ?? []), { id, ...cut }]);
  }
  return byFile;
}

/** The plugin of esbuild that does so. */
export function switchDefences(root, defences) {
  const cuts = cutsByFile(defences);
  const name = (file) => path.relative(root, file).split(path.sep).join('/');
  return {
    name: 'switch-defences',
    setup(build) {
      const used = new Set();
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        const own = cuts.get(name(file));
        if (own === undefined) return undefined;
        used.add(name(file));
        return {
          contents: weaveDefences(await readFile(file, 'utf8'), own),
          loader: file.endsWith('x') ? 'tsx' : 'ts',
        };
      });
      build.onEnd(() => {
        const unused = [...cuts.keys()].filter((file) => !used.has(file));
        return { errors: unused.map((file) => ({ text: `${file} is not part of the bundle.` })) };
      });
    },
  };
}

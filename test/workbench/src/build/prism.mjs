/**
 * Prism with all its languages, which a page loads in a tenth of the time. Where one language goes into another one,
 * Prism looks through all of them for what refers to that: for some hundred times, half a second. The build looks once,
 * and the page goes right to what was found.
 */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';

const require = createRequire(import.meta.url);

/** @param listed the file that lists Prism's parts */
export async function joinPrism(listed) {
  const components = require(listed);
  const names = Object.keys(components.languages).filter((name) => name !== 'meta');
  const order = require('prismjs/dependencies.js')(components, names).getIds();
  const files = ['core', ...order].map((name) => require.resolve(`prismjs/components/prism-${name}.min.js`));
  const [core, ...languages] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const looks = [];
  runInNewContext([core, `(${record})(Prism.languages, looks)`, ...languages].join(';\n'), { looks });
  const begin = `Prism.languages.DFS = (${repeat})(Prism.languages, ${JSON.stringify(looks)})`;
  const all = [begin, ...languages].join(';\n');
  return `${core};
{
  const lookThrough = Prism.languages.DFS;
  try {
${all}
  } finally {
    Prism.languages.DFS = lookThrough;
  }
}`;
}

/** Has `looks` list, for each time that the languages are looked through, the paths of what was replaced. */
function record(languages, looks) {
  languages.DFS = (start, visit) => {
    const [seen, replaced] = [new Set(), []];
    const look = (grammar, path) => {
      for (const [name, before] of Object.entries(grammar)) {
        visit.call(grammar, name, before);
        const value = grammar[name];
        if (value !== before) replaced.push([...path, name]);
        const isGrammar = typeof value === 'object' && value !== null && !(value instanceof RegExp);
        if (!isGrammar || seen.has(value)) continue;
        seen.add(value);
        look(value, [...path, name]);
      }
    };
    if (start !== languages) throw new Error('Prism looks through something else than its languages now.');
    look(languages, []);
    looks.push(replaced);
  };
}

/** Returns what visits only what was replaced when the same languages were looked through for the build. */
function repeat(languages, looks) {
  return (_, visit) => {
    for (const path of looks.shift()) {
      const name = path.pop();
      const owner = path.reduce((grammar, part) => grammar[part], languages);
      visit.call(owner, name, owner[name]);
    }
  };
}

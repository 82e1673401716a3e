// Leaves out of what knip found the exports that knip.config.js lists as used by tests alone, and adds those that it
// lists for nothing.
import { forTests } from '../../knip.config.js';

export default function dropListedExports(found) {
  const { issues } = found;
  // What is read through a whole module, as the list of facts is, counts as used.
  for (const kind of ['exports', 'types'])
    for (const [file, names] of Object.entries(issues[kind]))
      for (const [name, { parentSymbol }] of Object.entries(names))
        if (parentSymbol !== undefined) drop(found, kind, file, name);
  for (const [file, names] of forTests.flatMap(({ files }) => Object.entries(files)))
    for (const name of names.split(' ')) {
      const kind = ['exports', 'types'].find((each) => issues[each][file]?.[name] !== undefined);
      if (kind === undefined) addStale(found, file, name);
      else drop(found, kind, file, name);
    }
  return found;
}

function drop({ issues, counters }, kind, file, name) {
  delete issues[kind][file][name];
  counters[kind] -= 1;
}

function addStale({ issues, counters }, file, name) {
  const symbol = `${name} (listed in knip.config.js for nothing)`;
  issues.exports[file] = { ...issues.exports[file], [symbol]: { type: 'exports', filePath: file, symbol } };
  counters.exports += 1;
}

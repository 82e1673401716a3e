// Creates one mutant for each entry of each list, found in the list's own file, so that a new entry has its mutant at
// once.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Lists, each by the name that tests import it by. An entry is identified by its exported name without `ending`, or by
 * its own `id` if that differs, never by its file, because several entries may share one. `change` is code that turns
 * an entry into one that does nothing; without it, the entry is removed from the list.
 */
const lists = [
  {
    kind: 'section',
    ending: 'Section',
    array: 'sections',
    list: 'src/core/prompt/sections/index.ts',
    change: (name) => `${name}.when = () => false;`,
  },
  { kind: 'fact', array: 'facts', list: 'src/core/prompt/facts/index.ts', change: emptyFact },
  {
    kind: 'tool',
    array: 'tools',
    list: 'src/core/tools/index.ts',
    change: (name) => `${name}.run = async () => ({ ok: true, value: { text: '', sources: [] } });`,
  },
  {
    kind: 'mention',
    ending: 'Mentions',
    array: 'mentionSources',
    list: 'src/core/mentions/index.ts',
    change: (name) => `${name}.offer = () => null;\n${name}.prepare = undefined;`,
  },
  {
    kind: 'mode',
    ending: 'Mode',
    array: 'modes',
    list: 'src/core/prompt/modes/index.ts',
    change: (name) =>
      `${name}.templates = Object.fromEntries(Object.keys(${name}.templates).map((tier) => [tier, () => '']));`,
  },
  { kind: 'provider', array: 'providers', list: 'src/models/providers/index.ts', hasId: true },
  { kind: 'setting', ending: 'Row', array: 'settingRows', list: 'src/ui/settings/settings-tab.ts' },
];
const commandList = 'src/core/mentions/commands.ts';
const switchList = 'src/core/prompt/composition-options.ts';

/**
 * Returns all entries as mutants without their rows: {id, names, array, file, append}. `names` are those that a test's
 * title may use for the entry, `array` is the name of its list.
 */
export function entryMutants(read = readSource) {
  return [...lists.flatMap((list) => mutantsOfList(list, read)), ...commandMutants(read), ...switchMutants(read)];
}

function mutantsOfList({ kind, ending = '', hasId = false, array, list, change }, read) {
  return listedImports(read(list)).map(({ name, from }) => {
    const file = from === null ? list : resolveImport(list, from);
    const own = hasId ? ownId(name, read(file)) : inKebabCase(name.replace(new RegExp(`${ending}$`), ''));
    const entry = { id: `${kind}:${own}`, names: [...new Set([own, name, ...spellingsOf(own)])], array };
    if (change === undefined) return { ...entry, file: list, append: `${array}.splice(${array}.indexOf(${name}), 1);` };
    return { ...entry, file, append: change(name, read(file)) };
  });
}

function ownId(name, source) {
  const id = new RegExp(`\\b${name}\\b[^=]* = [\\s\\S]*?\\bid: '([^']+)'`).exec(source)?.[1];
  if (id === undefined) throw new Error(`${name} does not say its id.`);
  return id;
}

const inKebabCase = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the spellings of tools and of stored settings. */
function spellingsOf(base) {
  return [base.replaceAll('-', '_'), base.replace(/-(\w)/g, (_dash, letter) => letter.toUpperCase())];
}

/**
 * Returns what the file exports from elsewhere, or what its array contains; `from` is null for what it declares itself.
 */
function listedImports(text) {
  const named = (word) =>
    Array.from(text.matchAll(new RegExp(`^${word} \\{([^}]+)\\} from '(.+)';$`, 'gm')), ([, names, from]) =>
      Array.from(names.matchAll(/[\w ]+/g), ([name]) => ({ name: name.trim(), from })),
    )
      .flat()
      .filter(({ name }) => /^\w+$/.test(name));
  const array = /\[\] = \[([^\]]*)\];/.exec(text)?.[1];
  if (array === undefined) return named('export');
  const entries = array.match(/\w+/g) ?? [];
  return entries.map((entry) => {
    const found = named('import').find(({ name }) => name === entry);
    if (found !== undefined) return found;
    if (!new RegExp(`^(?:export )?const ${entry}\\b`, 'm').test(text))
      throw new Error(`${entry} stands in a list, and is neither imported nor declared there.`);
    return { name: entry, from: null };
  });
}

function resolveImport(list, from) {
  const base = path.posix.join(path.posix.dirname(list), from);
  const file = [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((each) => existsSync(path.join(root, each)));
  if (file === undefined) throw new Error(`${list} imports ${from}, which is not there.`);
  return file;
}

/** Returns an empty fact of the fact's type: null, an empty list, an empty text, or a record of empty values. */
function emptyFact(name, source) {
  const type = new RegExp(`${name}: Fact<(.+)> = \\{`).exec(source)?.[1];
  if (type === undefined) throw new Error(`The fact ${name} does not say its type.`);
  if (/\| null$/.test(type)) return `${name}.gather = () => null;`;
  if (/\[\]$/.test(type)) return `${name}.gather = () => [];`;
  if (type === 'string') return `${name}.gather = () => '';`;
  return `
const gatherWhole = ${name}.gather;
${name}.gather = (...given) => emptied(gatherWhole(...given));
function emptied(value) {
  if (Array.isArray(value)) return [];
  if (value === null || typeof value === 'object') {
    return value && Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptied(each)]));
  }
  return { string: '', number: 0, boolean: false }[typeof value];
}`;
}

function commandMutants(read) {
  return Array.from(read(commandList).matchAll(/^ +\{ id: '([\w-]+)'/gm), ([, id]) => ({
    id: `command:${id}`,
    names: [id],
    array: 'chatCommands',
    file: commandList,
    append: `chatCommands.find(({ id }) => id === '${id}').run = () => {};`,
  }));
}

/** Mutants whose switch does nothing: its part is always on. */
function switchMutants(read) {
  const keys = /sectionsByKey = \{(.*?)\n\}/s.exec(read(switchList))?.[1] ?? '';
  return Array.from(keys.matchAll(/^ +(\w+):/gm), ([, key]) => ({
    id: `switch:${key}`,
    names: [key],
    array: 'compositionKeys',
    file: switchList,
    append: `
const withSwitch = withSection;
const offBySwitch = sectionsSwitchedOff;
const alwaysOn = (isOn) => (key) => key === '${key}' || isOn(key);
withSection = (key, factory, guard = true, isOn = () => true) => withSwitch(key, factory, guard, alwaysOn(isOn));
sectionsSwitchedOff = (isOn) => offBySwitch(alwaysOn(isOn));`,
  }));
}

function readSource(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

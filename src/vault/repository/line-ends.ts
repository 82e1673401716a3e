/** Whether git stores a file with other line ends than the disk has, by its settings and its attributes. */
import type { RealPaths } from '../../core/writing/changeset/ports';
import { type GitFolder, isInPlace, type ReadingAdapter, textOf } from './git-folder';

/** What the attributes of one path say; absent where they say nothing. */
export interface Attributes {
  readonly text?: 'set' | 'unset' | 'auto';
  readonly hasLineEnd?: boolean;
  /** False for a file that is compared as bytes. */
  readonly isCompared?: boolean;
}

export interface LineEnds {
  attributesOf(path: string): Promise<Attributes>;
  /** Whether line ends of the disk are changed in the index without a question; `auto` only for what reads as text. */
  conversionOf(attributes: Attributes): 'always' | 'auto' | 'never';
}

interface Rule {
  readonly pattern: readonly string[];
  readonly states: readonly string[];
}

const maxFile = 200_000;
const maxRules = 1_000;
const maxPattern = 300;

/**
 * @param realPaths null where the file system is not available
 * @param convertsByDefault whether git's installation on this platform converts line ends where nothing is set
 */
export function readLineEnds(
  adapter: Pick<ReadingAdapter, 'stat' | 'readBinary'>,
  realPaths: RealPaths | null,
  folder: GitFolder,
  convertsByDefault: boolean,
): LineEnds {
  const read = new Map<string, Promise<readonly Rule[]>>();
  const rulesIn = (place: string): Promise<readonly Rule[]> => {
    const known = read.get(place) ?? readRules(adapter, realPaths, place);
    read.set(place, known);
    return known;
  };
  const ofAll = folder
    .readIfAny('info/attributes', maxFile)
    .then((file) => (file.ok && file.value !== null ? parseAttributes(textOf(file.value)) : []));
  return {
    attributesOf: async (path) => {
      const parts = path.split('/');
      const states: string[] = [];
      for (let depth = 0; depth < parts.length; depth += 1) {
        const rules = await rulesIn([...parts.slice(0, depth), '.gitattributes'].join('/'));
        states.push(...statesFor(rules, parts.slice(depth)));
      }
      return readStates([...states, ...statesFor(await ofAll, parts)]);
    },
    conversionOf: ({ text, hasLineEnd = false }) => {
      if (text === 'set' || (text === undefined && hasLineEnd)) return 'always';
      if (text !== undefined) return text === 'auto' ? 'auto' : 'never';
      const set = folder.settings.get('core.autocrlf')?.toLowerCase();
      const converts = set === undefined ? convertsByDefault : /^(true|yes|on|1|input)$/.test(set);
      return converts ? 'auto' : 'never';
    },
  };
}

async function readRules(
  adapter: Pick<ReadingAdapter, 'stat' | 'readBinary'>,
  realPaths: RealPaths | null,
  place: string,
): Promise<Rule[]> {
  try {
    const entry = await adapter.stat(place);
    if (entry?.type !== 'file' || entry.size > maxFile || !(await isInPlace(place, realPaths))) return [];
    return parseAttributes(textOf(new Uint8Array(await adapter.readBinary(place))));
  } catch {
    // Where the attributes cannot be read, the settings decide.
    return [];
  }
}

/** Reads rules in order; later ones count more. Those that Docent does not know are left out. */
export function parseAttributes(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split('\n')) {
    const [pattern = '', ...states] = line.trim().split(/\s+/);
    if (pattern === '' || /^[#!["]/.test(pattern) || pattern.length > maxPattern || rules.length >= maxRules) continue;
    const isAnywhere = !pattern.includes('/');
    const parts = pattern.replace(/^\//, '').split('/');
    rules.push({ pattern: isAnywhere ? ['**', ...parts] : parts, states });
  }
  return rules;
}

function statesFor(rules: readonly Rule[], parts: readonly string[]): string[] {
  return rules.flatMap(({ pattern, states }) => (matchesPath(pattern, parts) ? states : []));
}

function readStates(states: readonly string[]): Attributes {
  let found: Attributes = {};
  for (const state of states) {
    if (state === 'binary') found = { ...found, text: 'unset', isCompared: false };
    else if (state === 'diff' || state.startsWith('diff=')) found = { ...found, isCompared: true };
    else if (state === '-diff') found = { ...found, isCompared: false };
    else if (state === 'text=auto' || state === 'crlf=auto') found = { ...found, text: 'auto' };
    else if (/^(text|crlf)$/.test(state)) found = { ...found, text: 'set' };
    else if (/^-(text|crlf)$/.test(state)) found = { ...found, text: 'unset' };
    else if (/^eol=(lf|crlf)$/.test(state)) found = { ...found, hasLineEnd: true };
  }
  return found;
}

/** Compares part by part; `**` matches any number of parts. Takes time by the product of both lengths at most. */
function matchesPath(pattern: readonly string[], parts: readonly string[]): boolean {
  let reached = [0];
  for (const each of pattern) {
    reached =
      each === '**'
        ? parts.concat('').flatMap((_, at) => (at >= (reached[0] ?? 0) ? [at] : []))
        : reached.flatMap((at) => (at < parts.length && matchesName(each, parts[at] ?? '') ? [at + 1] : []));
    if (reached.length === 0) return false;
  }
  return reached.includes(parts.length);
}

/** Compares one name with a pattern of `*`, `?` and `[…]`, going back to the last `*` only. */
export function matchesName(pattern: string, name: string): boolean {
  const units = pattern.match(/\\[^]|\[!?\]?[^\]]*\]|[^]/g) ?? [];
  let [unit, at, star, starAt] = [0, 0, -1, 0];
  while (at < name.length) {
    const current = units[unit];
    if (current === '*') [star, starAt, unit] = [unit, at, unit + 1];
    else if (current !== undefined && matchesUnit(current, name.charAt(at))) [unit, at] = [unit + 1, at + 1];
    else if (star !== -1) [starAt, at, unit] = [starAt + 1, starAt + 1, star + 1];
    else return false;
  }
  return units.slice(unit).every((rest) => rest === '*');
}

function matchesUnit(unit: string, character: string): boolean {
  if (unit === '?') return true;
  if (unit.length > 2 && unit.startsWith('[')) return isInSet(unit.slice(1, -1), character);
  return (unit.length === 2 ? unit.charAt(1) : unit) === character;
}

function isInSet(inside: string, character: string): boolean {
  const isNot = /^[!^]/.test(inside);
  const set = isNot ? inside.slice(1) : inside;
  let found = false;
  for (let at = 0; at < set.length; at += 1) {
    if (set.charAt(at + 1) === '-' && at + 2 < set.length) {
      found ||= character >= set.charAt(at) && character <= set.charAt(at + 2);
      at += 2;
    } else found ||= set.charAt(at) === character;
  }
  return found !== isNot;
}

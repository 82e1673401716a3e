/** find_notes: lists notes by name, folder, tag or property. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { createWorkBudget } from '../base/async';
import { startOf } from '../base/cut';
import { jsonOf } from '../base/equality';
import { foldText } from '../base/fold';
import { nameOnLine, oneLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { FileEntry, NoteOutline, Vault } from '../ports/vault';
import { hasTag, isInside, isUnindexed, resolveFolder } from './resolve-path';
import { bytesFor, callStopped, counted, formatRange, formatUnindexed, type Page, pageOf } from './results';
import { tool } from './tool';

const defaultLimit = 50;
const maxLimit = 500;

export const findNotes = tool({
  name: 'find_notes',
  agent: 'search',
  description: 'Lists the paths of notes that meet all given conditions. folder and tag include nested ones.',
  others: {
    [toolNames.searchNotes]: 'for words inside notes',
    [toolNames.listFolder]: 'for the contents of one folder',
  },
  brief: {
    description: 'Lists the paths of notes by name, folder, tag or property.',
    parameters: { name: 'Words of the path, or a pattern with *.', property: 'name or name=value' },
  },
  parameters: () =>
    z.object({
      name: z.string().optional().describe('Words of the path, or a pattern with * or **.'),
      folder: z.string().optional(),
      tag: z.string().optional(),
      property: z.string().optional().describe('name or name=value'),
      sort: z.enum(['path', 'newest']).optional(),
      attachments: z.boolean().optional().describe('Also other files.'),
      limit: z.int().min(1).optional().describe(`Default ${defaultLimit}.`),
      startAt: z.int().min(1).optional(),
    }),
  effect: 'reads',
  fromTier: 2,
  title: ({ name, tag, property, folder }) =>
    words.tools.findTitle([name, tag, property, folder].filter((part) => part !== undefined && part !== '').join(', ')),
  async run(args, vault, signal, place) {
    const { sort = 'path', attachments = false, startAt = 1 } = args;
    const limit = Math.min(args.limit ?? defaultLimit, maxLimit);
    const folder = resolveFolder(vault, args.folder ?? '');
    if (!folder.ok) return folder;
    const tests = parseProperty(args.property ?? '');
    if (!tests.ok) return tests;
    const { name = '' } = args;
    const named = { hasName: matcherOf(name), nameLength: name.length };
    const tag = args.tag?.trim() ?? '';
    const filtered = await filterFiles(
      vault,
      { folder: folder.value, ...named, tag, tests: tests.value, attachments },
      signal,
    );
    if (filtered === null) return fail(callStopped());
    const { found, unindexed } = filtered;
    if (sort === 'newest') found.sort((a, b) => b.file.modified - a.file.modified);
    const rows = found.map((each) => formatRow(each, sort));
    const page = pageOf(rows, startAt, limit, bytesFor(place));
    const head = formatHead(rows.length, attachments ? 'file' : 'note', startAt, page) + formatUnindexed(unindexed);
    return succeed({
      text: [head, ...page.rows].join('\n'),
      sources: found.slice(startAt - 1, startAt - 1 + page.rows.length).map(({ file }) => ({ path: file.path })),
    });
  },
});

interface Conditions {
  readonly folder: string;
  readonly hasName: (path: string) => boolean;
  /** Characters of the name that is looked for. */
  readonly nameLength: number;
  /** Empty for any. */
  readonly tag: string;
  /** One of them must hold; none for any property. */
  readonly tests: readonly PropertyTest[];
  readonly attachments: boolean;
}

interface FoundFile {
  readonly file: FileEntry;
  /** Undefined unless a tag or a property is a condition. */
  readonly outline: NoteOutline | undefined;
  /** The condition that its properties meet. */
  readonly test: PropertyTest | undefined;
}

/** Places of a pattern that are followed for one unit of work. */
const placesPerUnit = 10;

interface FilteredFiles {
  readonly found: FoundFile[];
  /** Notes whose tags and properties Obsidian does not know yet. */
  readonly unindexed: number;
}

/** Returns the files that meet all conditions, in the vault's order; null if the call was stopped. */
async function filterFiles(
  vault: Vault,
  { folder, hasName, nameLength, tag, tests, attachments }: Conditions,
  signal: AbortSignal,
): Promise<FilteredFiles | null> {
  const budget = createWorkBudget(signal);
  const found: FoundFile[] = [];
  const isMarked = tag !== '' || tests.length > 0;
  let unindexed = 0;
  for (const file of vault.files()) {
    const going = budget.spend(60 + (file.path.length * nameLength) / placesPerUnit);
    if (going !== true && !(await going)) return null;
    if (file.kind !== 'note' && !attachments) continue;
    if (!isInside(file.path, folder) || !hasName(file.path)) continue;
    const outline = isMarked ? vault.outline(file.path) : undefined;
    if (isMarked && isUnindexed(file, outline)) unindexed += 1;
    const test = tests.find((each) => holds(outline, each));
    const hasProperty = tests.length === 0 || test !== undefined;
    if (hasProperty && isTagged(outline, tag)) found.push({ file, outline, test });
  }
  return { found, unindexed };
}

function isTagged(outline: NoteOutline | undefined, tag: string): boolean {
  return tag === '' || hasTag(outline?.tags ?? [], tag);
}

function formatRow({ file, outline, test }: FoundFile, sort: 'path' | 'newest'): string {
  const day = sort === 'newest' ? ` (${dayOf(file.modified)})` : '';
  const name = nameOnLine(file.path) + day;
  if (test === undefined) return name;
  // A line of the value must not read as the path of another note.
  return `${name} (${test.name}: ${oneLine(startOf(textOf(valueOf(outline, test.name)), 200))})`;
}

function formatHead(total: number, kind: 'file' | 'note', startAt: number, page: Page): string {
  if (total === 0) return `No ${kind} matches.`;
  const mark = page.rows.length === total ? ',' : ';';
  return `${counted(total, kind)}${mark} ${formatRange(startAt, page)}`;
}

/** Returns a test for paths: a pattern if the name has wildcards, else words that must all occur. */
function matcherOf(name: string): (path: string) => boolean {
  const wanted = foldText(name.trim().replace(/^\/+/, ''));
  if (wanted === '') return () => true;
  if (!/[*?]/.test(wanted)) {
    const parts = wanted.split(/\s+/);
    return (path) => {
      const folded = foldText(path);
      return parts.every((part) => folded.includes(part));
    };
  }
  const pattern = patternOf(wanted);
  const whole = wanted.includes('/');
  return (path) => {
    const folded = foldText(path);
    const shown = whole ? folded : folded.slice(folded.lastIndexOf('/') + 1);
    return fits(pattern, shown) || (shown.endsWith('.md') && fits(pattern, shown.slice(0, -'.md'.length)));
  };
}

/** What one place of a pattern takes: a character, any one in a name, any number in a name, or any number at all. */
type PatternPart = { readonly character: string } | 'one' | 'name' | 'any' | 'folders' | 'inFolders';

function patternOf(written: string): readonly PatternPart[] {
  return (written.match(/\*\*\/?|[\s\S]/gu) ?? []).flatMap((sign): PatternPart[] => {
    if (sign === '**/') return ['folders', 'inFolders'];
    if (sign === '**') return ['any'];
    if (sign === '*') return ['name'];
    return sign === '?' ? ['one'] : [{ character: sign }];
  });
}

/**
 * Whether the pattern takes the whole text. Follows all places of the pattern at once: a regular expression would try
 * each way to divide a name among its asterisks.
 */
function fits(pattern: readonly PatternPart[], text: string): boolean {
  let [places, next] = [new Uint8Array(pattern.length + 1), new Uint8Array(pattern.length + 1)];
  places[0] = 1;
  skip(pattern, places);
  for (const character of text) {
    next.fill(0);
    for (const [place, part] of pattern.entries()) if (places[place] === 1) take(part, place, character, next);
    skip(pattern, next);
    [places, next] = [next, places];
  }
  return places[pattern.length] === 1;
}

function take(part: PatternPart, place: number, character: string, next: Uint8Array): void {
  const isSlash = character === '/';
  if (typeof part === 'object') {
    if (part.character === character) next[place + 1] = 1;
  } else if (part === 'one') {
    if (!isSlash) next[place + 1] = 1;
  } else if (part === 'name') {
    if (!isSlash) next[place] = 1;
  } else if (part === 'any') {
    next[place] = 1;
  } else if (part === 'inFolders') {
    next[place] = 1;
    if (isSlash) next[place + 1] = 1;
  }
}

/** Adds the places after parts that may take nothing. */
function skip(pattern: readonly PatternPart[], places: Uint8Array): void {
  for (const [place, part] of pattern.entries()) {
    if (places[place] !== 1) continue;
    if (part === 'name' || part === 'any') places[place + 1] = 1;
    // All folders are taken together, or none.
    if (part === 'folders') places.fill(1, place + 1, place + 3);
  }
}

interface PropertyTest {
  readonly name: string;
  readonly value?: string;
}

/** Signs of a condition after which its value may begin. */
const maxSigns = 5;

/**
 * Parses the property condition; none if there is none, a failure if it has no name. A name may have a colon or an equals
 * sign itself, such as `dc:title`, so that each may be the one before the value.
 */
function parseProperty(written: string): Outcome<readonly PropertyTest[]> {
  if (written.trim() === '') return succeed([]);
  const signs = [...written.matchAll(/[=:]/g)].slice(0, maxSigns).map(({ index }) => index);
  if (written.slice(0, signs[0]).trim() === '') {
    return fail({
      kind: 'invalid-input',
      words: words.tools.propertyUnrecognized(written),
      remedy: words.tools.propertyUnrecognizedRemedy,
    });
  }
  return succeed(
    [...signs, written.length].map((at) => {
      const [name, value] = [written.slice(0, at).trim(), written.slice(at + 1).trim()];
      return value === '' ? { name } : { name, value };
    }),
  );
}

function holds(outline: NoteOutline | undefined, { name, value }: PropertyTest): boolean {
  const own = valueOf(outline, name);
  if (own === undefined) return false;
  if (value === undefined) return true;
  const wanted = foldText(value);
  return (Array.isArray(own) ? own : [own]).some((each) => {
    const text = textOf(each);
    return [text, ...linkForms(text)].some((form) => foldText(form) === wanted);
  });
}

/** Returns how else a value that is one link may be written: without brackets or name, and as the name that it shows. */
function linkForms(value: string): string[] {
  const [, target, shown] = /^!?\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]$/.exec(value.trim()) ?? [];
  if (target === undefined) return [];
  return [target, `[[${target}]]`, ...(shown === undefined ? [] : [shown])];
}

function valueOf(outline: NoteOutline | undefined, name: string): unknown {
  if (outline === undefined) return undefined;
  const key = Object.keys(outline.properties).find((each) => foldText(each) === foldText(name));
  return key === undefined ? undefined : outline.properties[key];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (jsonOf(value) ?? '');
}

/** Returns the day of a time where the user is, as the prompt has today's. */
function dayOf(milliseconds: number): string {
  const local = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? 'unknown' : local.toISOString().slice(0, 10);
}

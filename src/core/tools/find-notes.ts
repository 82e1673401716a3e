/** find_notes: lists notes by name, folder, tag or property. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { createWorkBudget } from '../base/async';
import { foldText } from '../base/fold-text';
import { fail, succeed } from '../ports/failure';
import type { FileEntry, NoteOutline } from '../ports/vault';
import { hasTag, isInside, resolveFolder } from './resolve-path';
import { counted, pageOf, callStopped } from './results';
import { tool } from './tool';

const defaultLimit = 50;
const maxLimit = 500;

export const findNotes = tool({
  name: 'find_notes',
  agent: 'search',
  description:
    'Lists notes by name, folder, tag or property; several conditions must all hold. Returns paths and how many there ' +
    'are. For words inside notes use search_notes; for what lies in one folder use list_folder.',
  parameters: () =>
    z.object({
      name: z
        .string()
        .optional()
        .describe('Words that the path holds, or a pattern: * within a name, ** across folders, ? for one character.'),
      folder: z.string().optional().describe('Only notes in this folder or below it.'),
      tag: z.string().optional().describe('Only notes with this tag or one nested in it.'),
      property: z.string().optional().describe('Only notes with this property: name, or name=value.'),
      sort: z
        .enum(['path', 'newest'])
        .optional()
        .describe('Order; by path unless newest, which shows dates of change.'),
      attachments: z.boolean().optional().describe('Also files that are not notes.'),
      limit: z.int().min(1).max(maxLimit).optional().describe(`Paths to return; ${defaultLimit} by default.`),
      startAt: z.int().min(1).optional().describe('Number of the path to go on with.'),
    }),
  effect: 'reads',
  fromTier: 2,
  title: ({ name, tag, property, folder }) =>
    words.tools.findTitle([name, tag, property, folder].filter((part) => part !== undefined && part !== '').join(', ')),
  async run(args, vault, signal) {
    const { sort = 'path', attachments = false, limit = defaultLimit, startAt = 1 } = args;
    const folder = resolveFolder(vault, args.folder ?? '');
    if (!folder.ok) return folder;
    const property = parseProperty(args.property ?? '');
    if (property === null) {
      return fail({
        kind: 'invalid-input',
        words: words.tools.propertyUnclear(args.property ?? ''),
        remedy: words.tools.propertyUnclearRemedy,
      });
    }
    const hasName = matcherOf(args.name ?? '');
    const tag = args.tag?.trim() ?? '';
    const pace = createWorkBudget(signal);
    const found: { file: FileEntry; outline: NoteOutline | undefined }[] = [];
    for (const file of vault.files()) {
      const going = pace.spend(60);
      if (going !== true && !(await going)) return fail(callStopped());
      if (file.kind !== 'note' && !attachments) continue;
      if (!isInside(file.path, folder.value) || !hasName(file.path)) continue;
      const outline = tag === '' && property === undefined ? undefined : vault.outline(file.path);
      if (tag !== '' && !hasTag(outline?.tags ?? [], tag)) continue;
      if (property !== undefined && !holds(outline, property)) continue;
      found.push({ file, outline });
    }
    if (sort === 'newest') found.sort((a, b) => b.file.modified - a.file.modified);
    const rows = found.map(({ file, outline }) => {
      const day = sort === 'newest' ? ` (${dayOf(file.modified)})` : '';
      const value = property === undefined ? '' : ` (${property.name}: ${shown(valueOf(outline, property.name))})`;
      return file.path + day + value;
    });
    const { rows: page, next } = pageOf(rows, startAt, limit);
    const kind = attachments ? 'file' : 'note';
    const head =
      rows.length === 0
        ? `No ${kind} fits.`
        : next === undefined && startAt === 1
          ? `${counted(rows.length, kind)}, all shown.`
          : `${counted(rows.length, kind)}; ${startAt}-${startAt + page.length - 1} shown.` +
            (next === undefined ? '' : ` Go on with startAt ${next}.`);
    return succeed({
      text: [head, ...page].join('\n'),
      sources: found.slice(startAt - 1, startAt - 1 + page.length).map(({ file }) => ({ path: file.path })),
    });
  },
});

/** A test of paths: a pattern when it has wildcards, else words that all have to occur. */
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
  const source = wanted.replace(/\*\*\/?|[*?]|[.+^${}()|[\]\\]/g, (sign) => {
    if (sign === '**/') return '(?:.*/)?';
    if (sign === '**') return '.*';
    if (sign === '*') return '[^/]*';
    return sign === '?' ? '[^/]' : `\\${sign}`;
  });
  const pattern = new RegExp(`^${source}(?:\\.md)?$`, 'u');
  const whole = wanted.includes('/');
  return (path) => {
    const folded = foldText(path);
    return pattern.test(whole ? folded : folded.slice(folded.lastIndexOf('/') + 1));
  };
}

interface PropertyTest {
  readonly name: string;
  readonly value?: string;
}

/** Undefined when none is asked for, null when it has no name. */
function parseProperty(written: string): PropertyTest | undefined | null {
  if (written.trim() === '') return undefined;
  const [, name = '', value] = /^([^=:]*)(?:[=:](.*))?$/s.exec(written) ?? [];
  if (name.trim() === '') return null;
  return value === undefined || value.trim() === ''
    ? { name: name.trim() }
    : { name: name.trim(), value: value.trim() };
}

function holds(outline: NoteOutline | undefined, { name, value }: PropertyTest): boolean {
  const own = valueOf(outline, name);
  if (own === undefined) return false;
  if (value === undefined) return true;
  const wanted = foldText(value);
  return (Array.isArray(own) ? own : [own]).some((each) => {
    const text = foldText(shown(each));
    return text === wanted || text === `[[${wanted}]]`;
  });
}

function valueOf(outline: NoteOutline | undefined, name: string): unknown {
  if (outline === undefined) return undefined;
  const key = Object.keys(outline.properties).find((each) => foldText(each) === foldText(name));
  return key === undefined ? undefined : outline.properties[key];
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : (JSON.stringify(value) ?? '').slice(0, 200);
}

function dayOf(milliseconds: number): string {
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString().slice(0, 10) : 'unknown';
}

/** `[[Note#` and `[[Note#^`: headings and blocks of a note, and links that are written in full. */
import { findHeading } from '../markdown/structure';
import type { NoteOutline, Vault } from '../ports/vault';
import type { Mention } from '../session/entry';
import {
  allLines,
  findAll,
  type MentionCandidate,
  type MentionContext,
  type MentionSource,
  usualLines,
} from './mention-source';
import { linkTextOf, newestNotes } from './note';

/** Number of newest notes whose headings are suggested when no note was named. */
const recentNotes = 30;

/** `[[Note#`: the headings of a note; `[[#`: those of the active note, then of the newest notes. */
export const headingMentions: MentionSource = {
  id: 'heading',
  triggers: findAll,
  offer: (context, typed) => {
    const asked = readNotePart(context, typed);
    if (asked === null || asked.part.startsWith('^')) return null;
    const { path, part } = asked;
    if (path !== null) return { candidates: headingsOf(context, path), query: part, lines: allLines };
    const recent = newestNotes(context.vault).slice(0, recentNotes);
    const paths = new Set([...(context.activeNote === null ? [] : [context.activeNote]), ...recent.map(idOf)]);
    const candidates = joinHeadings(
      context.vault,
      [...paths].map((one) => headingsOf(context, one)),
    );
    return { candidates, query: part, lines: usualLines };
  },
};

function idOf({ mention }: MentionCandidate): string {
  return mention.id;
}

type Candidates = readonly MentionCandidate[];

/** What was made of the headings of a note, with its link text then. */
const known = new WeakMap<NoteOutline['headings'], { readonly note: string; readonly candidates: Candidates }>();

/**
 * Returns the distinct headings of a note; a link leads to the first of several equal ones. The list is the same until
 * the note changes, because one note may have very many.
 */
function headingsOf({ vault }: MentionContext, path: string): Candidates {
  const headings = vault.outline(path)?.headings;
  if (headings === undefined) return [];
  const note = linkTextOf(vault, path);
  const made = known.get(headings);
  if (made?.note === `${path}\n${note}`) return made.candidates;
  const texts = new Set(headings.map(({ text }) => text));
  const candidates = [...texts].map((text): MentionCandidate => ({
    mention: { kind: 'heading', id: `${path}#${text}`, label: `${note}#${linkable(text)}` },
    name: text,
    detail: note,
  }));
  known.set(headings, { note: `${path}\n${note}`, candidates });
  return candidates;
}

const lastJoined = new WeakMap<Vault, { readonly parts: readonly Candidates[]; readonly joined: Candidates }>();

/** Joins the headings of several notes; the list is the same while theirs are. */
function joinHeadings(vault: Vault, parts: readonly Candidates[]): Candidates {
  const last = lastJoined.get(vault);
  const isSame = last?.parts.length === parts.length && last.parts.every((part, at) => part === parts[at]);
  if (last !== undefined && isSame) return last.joined;
  const joined = parts.flat();
  lastJoined.set(vault, { parts, joined });
  return joined;
}

/** Writes a heading as Obsidian does in a link: characters that would end or split the link become spaces. */
function linkable(heading: string): string {
  return heading
    .replace(/[#|^:]|%%|\[\[|\]\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

interface NoteLines {
  readonly path: string;
  readonly modified: number;
  readonly lines: readonly string[];
}

/** The lines of the last queried note, to show the text of its blocks. */
const lastLines = new WeakMap<Vault, NoteLines>();

/** `[[Note#^`: the blocks of a note that have an id; `[[#^`: those of the active note. */
export const blockMentions: MentionSource = {
  id: 'block',
  triggers: findAll,
  offer: (context, typed) => {
    const asked = readBlockPart(context, typed);
    if (asked === null) return null;
    const outline = context.vault.outline(asked.path);
    const candidates = outline === undefined ? [] : blocksOf(context.vault, outline);
    return { candidates, query: asked.query, lines: allLines };
  },
  prepare: async (context, typed) => {
    const asked = readBlockPart(context, typed);
    if (asked === null || linesOf(context.vault, asked.path) !== undefined) return false;
    const read = await context.vault.read(asked.path);
    if (read.ok) {
      const { path, text, modified } = read.value;
      lastLines.set(context.vault, { path, modified, lines: text.split('\n') });
    }
    return false;
  },
};

function readBlockPart(context: MentionContext, typed: string): { path: string; query: string } | null {
  const asked = readNotePart(context, typed);
  const path = asked?.path ?? context.activeNote;
  return asked?.part.startsWith('^') === true && path !== null ? { path, query: asked.part.slice(1) } : null;
}

function linesOf(vault: Vault, path: string): readonly string[] | undefined {
  const known = lastLines.get(vault);
  return known?.path === path && known.modified === vault.file(path)?.modified ? known.lines : undefined;
}

function blocksOf(vault: Vault, { path, blocks, headings }: NoteOutline): MentionCandidate[] {
  const note = linkTextOf(vault, path);
  const lines = linesOf(vault, path);
  return blocks.map(({ id, line }) => {
    const written = (lines?.[line] ?? '').replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '').trimEnd();
    const text = written.replace(/\^[A-Za-z0-9-]+$/, '').trimEnd();
    const above = headings.filter((heading) => heading.line <= line).at(-1)?.text ?? note;
    return {
      mention: { kind: 'block', id: `${path}#^${id}`, label: `${note}#^${id}` },
      name: `^${id}`,
      detail: text === '' ? above : text,
      keywords: text,
    };
  });
}

/** A link into a note, as typed: `Note#part`. */
interface NotePart {
  /** The path; null if no note was named, as in `#part`. */
  readonly path: string | null;
  /** The text typed after the `#`. */
  readonly part: string;
}

/** Parses the typed text; returns null if it has no `#` or names a missing note. */
function readNotePart(context: MentionContext, typed: string): NotePart | null {
  const sign = typed.indexOf('#');
  if (sign < 0) return null;
  const part = typed.slice(sign + 1);
  const note = typed.slice(0, sign).trim();
  if (note === '') return { path: null, part };
  const path = context.vault.resolveLink(note, context.activeNote ?? '') ?? beginningWith(context.vault, note);
  return path === undefined ? null : { path, part };
}

const last = new WeakMap<object, { readonly note: string; readonly path: string | undefined }>();

/**
 * Returns the newest note whose name starts with this text; cached, since it is needed for each key typed after the
 * `#`.
 */
function beginningWith(vault: Vault, note: string): string | undefined {
  const notes = newestNotes(vault);
  const known = last.get(notes);
  if (known?.note === note) return known.path;
  const start = note.toLowerCase();
  const path = notes.find(({ mention, name }) => (name ?? mention.label).toLowerCase().startsWith(start))?.mention.id;
  last.set(notes, { note, path });
  return path;
}

/** Characters of a link that is looked for. */
const maxLink = 500;

/**
 * Returns what a link just before the cursor attaches, once it is typed to its end or pasted: a note, or a heading or a
 * block of one. Null if it leads to none of these, and for a link at the end of a longer text that was pasted: nobody
 * asked for the notes that such a text names.
 * @param contextOf asked only when there is a link
 * @param before the text as it was before
 */
export function completedLink(
  contextOf: () => MentionContext,
  before: string,
  text: string,
  cursor: number,
): Mention | null {
  const [link = '', label = ''] =
    /\[\[([^[\]|\n]+(?:\|[^[\]\n]*)?)\]\]$/.exec(text.slice(Math.max(0, cursor - maxLink), cursor)) ?? [];
  if (link === '') return null;
  let same = 0;
  while (same < cursor && before.charCodeAt(same) === text.charCodeAt(same)) same += 1;
  return same === cursor || same < cursor - link.length ? null : linkedBy(contextOf(), label);
}

function linkedBy({ vault, activeNote }: MentionContext, label: string): Mention | null {
  const [target = ''] = label.split('|');
  const [note = '', ...parts] = target.split('#');
  const path = note.trim() === '' ? undefined : vault.resolveLink(note.trim(), activeNote ?? '');
  if (path === undefined || vault.file(path)?.kind !== 'note') return null;
  if (parts.length === 0) return { kind: 'note', id: path, label };
  const part = partIn(vault.outline(path), parts);
  return part === null ? null : { kind: part.startsWith('^') ? 'block' : 'heading', id: `${path}#${part}`, label };
}

/** Returns the block or the heading that a link names, the latter perhaps by those above it; null if there is none. */
function partIn(outline: NoteOutline | undefined, steps: readonly string[]): string | null {
  const { headings = [], blocks = [] } = outline ?? {};
  const part = steps.join('#').toLowerCase();
  const block = blocks.find(({ id }) => `^${id}`.toLowerCase() === part);
  if (block !== undefined) return `^${block.id}`;
  const heading = headings.find((each) => linkable(each.text).toLowerCase() === linkable(part));
  if (heading !== undefined) return heading.text;
  // Only the headings above it say which of several with the same words is meant.
  return steps.length > 1 && findHeading(headings, part) !== -1 ? steps.join('#') : null;
}

/** Splits the id of a heading or a block, `path#part`. */
export function splitPart(id: string): { readonly path: string; readonly part: string } {
  const match = /^(.*?\.md)#(.*)$/is.exec(id);
  return { path: match?.[1] ?? id, part: match?.[2] ?? '' };
}

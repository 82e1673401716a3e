/** `[[Note#^`: the blocks of a note that have an id; `[[#^`: those of the note in front. */
import type { NoteOutline, Vault } from '../ports/vault';
import type { MentionCandidate } from './candidate';
import { allLines, type MentionContext, type MentionSource } from './mention-source';
import { linkTextOf } from './note';
import { readNotePart } from './note-part';

interface NoteLines {
  readonly path: string;
  readonly modified: number;
  readonly lines: readonly string[];
}

/** The lines of the note that was asked about last, to show what its blocks say. */
const lastLines = new WeakMap<Vault, NoteLines>();

export const blockMentions: MentionSource = {
  id: 'block',
  trigger: '[[',
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
    const text = (lines?.[line] ?? '').replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '').replace(/\s*\^[A-Za-z0-9-]+\s*$/, '');
    const above = headings.filter((heading) => heading.line <= line).at(-1)?.text ?? note;
    return {
      mention: { kind: 'block', id: `${path}#^${id}`, label: `${note}#^${id}` },
      name: `^${id}`,
      detail: text === '' ? above : text,
      keywords: text,
    };
  });
}

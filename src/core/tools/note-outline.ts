/** note_outline: the structure of a note, without its text. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { byteLength, headWithin } from '../base/cut';
import { jsonOf } from '../base/equality';
import { frontNames } from '../markdown/properties';
import { type NoteStructure, structureOf, type TextHeading } from '../markdown/structure';
import { fairShares } from '../markup/budget';
import { nameOnLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import { succeed } from '../ports/failure';
import type { NoteOutline, NoteText, Vault } from '../ports/vault';
import { cleanPath, isUnindexed, nameOf, readFile } from './resolve-path';
import { bytesFor, counted, pageOf } from './results';
import { tool } from './tool';

/** Bytes of a fact, and the share of a short result for all of them; the rest is for headings. */
const maxFactBytes = 4_000;
const factsShare = 0.5;
const cutMark = '… (cut)';

export const noteOutline = tool({
  name: 'note_outline',
  agent: 'notes',
  description:
    'Shows the structure of a note: size, properties, tags, link counts, block ids, and headings with lines.',
  others: {
    [toolNames.readNote]: 'for the text',
    [toolNames.noteLinks]: 'for its links',
  },
  brief: { description: 'Lists the headings of a note with their lines, its size, properties and tags; no text.' },
  parameters: () =>
    z.object({
      path: z.string(),
      startLine: z.int().min(1).optional(),
    }),
  effect: 'reads',
  fromTier: 2,
  title: ({ path }) => words.tools.outlineTitle(nameOf(cleanPath(path))),
  async run({ path, startLine = 1 }, vault, signal, place) {
    const note = await readFile(vault, path, signal);
    if (!note.ok) return note;
    const structure = structureOf(note.value.text);
    const bytes = bytesFor(place);
    const shown = fitFacts(describeNote(note.value, structure, vault), Math.floor(bytes * factsShare));
    const headings = structure.headings.filter((heading) => heading.line + 1 >= startLine);
    const used = shown.reduce((sum, fact) => sum + byteLength(fact) + 1, 0);
    const page = pageOf(headings.map(formatHeadingRow), 1, headings.length, bytes - used);
    const next = page.next === undefined ? undefined : headings[page.next - 1];
    const from = startLine === 1 ? '' : ` from line ${startLine} on`;
    const rest =
      next === undefined ? '' : `; the first ${page.rows.length} shown. Continue with startLine ${next.line + 1}`;
    shown.push(`${counted(headings.length, 'heading')}${from}${rest}${headings.length > 0 ? ':' : '.'}`);
    const { path: opened } = note.value;
    return succeed({ text: [...shown, ...page.rows].join('\n'), sources: [{ path: opened }], touched: [opened] });
  },
});

const unindexed = 'Obsidian has not indexed it yet: its properties, block ids, own links and other tags are missing.';

function fitFacts(facts: readonly string[], bytes: number): string[] {
  const sizes = facts.map((fact) => Math.min(maxFactBytes, byteLength(fact)));
  const shares = fairShares(sizes, bytes);
  return facts.map((fact, index) => {
    const share = shares[index] ?? 0;
    return byteLength(fact) <= share ? fact : headWithin(fact, share - byteLength(cutMark)) + cutMark;
  });
}

/** Returns one line per fact, omitting facts that the note lacks. */
function describeNote({ path, text, size }: NoteText, structure: NoteStructure, vault: Vault): string[] {
  const outline = vault.outline(path);
  const front = frontNames(text, structure);
  const tags = outline?.tags ?? front.tags.map((tag) => `#${tag}`);
  const properties = outline === undefined ? '{}' : (jsonOf(outline.properties) ?? 'nested too deep to show');
  const blocks = outline?.blocks ?? [];
  const lineCount = text === '' ? 0 : structure.lines.length - (text.endsWith('\n') ? 1 : 0);
  const facts = [`${nameOnLine(path)}: ${counted(lineCount, 'line')}, ${counted(size, 'byte')}.`];
  if (properties !== '{}') facts.push(`properties: ${properties}`);
  if (tags.length > 0) facts.push(`tags: ${tags.join(' ')}`);
  facts.push(`links: ${outgoing(outline)}${vault.backlinks(path).length} in`);
  const entry = vault.file(path);
  if (entry !== undefined && isUnindexed(entry, outline)) facts.push(unindexed);
  if (blocks.length > 0) facts.push(`blocks: ${blocks.map(({ id, line }) => `^${id} (line ${line + 1})`).join(', ')}`);
  return facts;
}

/** Counts the links of a note itself; empty where they are not known. */
function outgoing(outline: NoteOutline | undefined): string {
  if (outline === undefined) return '';
  const lost = outline.links.filter((link) => link.path === undefined).length;
  return `${outline.links.length} out${lost === 0 ? '' : ` (${lost} unresolved)`}, `;
}

// Heading rows, such as "line 12: ## Text": note_outline writes them, and the built-in reader parses them.

function formatHeadingRow({ level, text, line }: TextHeading): string {
  return `line ${line + 1}: ${'#'.repeat(level)} ${text}`;
}

export function parseHeadingRows(text: string): TextHeading[] {
  const headings: TextHeading[] = [];
  for (const row of text.split('\n')) {
    const match = /^line (\d+): (#{1,6}) (.+)$/.exec(row);
    if (match?.[2] === undefined || match[3] === undefined) continue;
    headings.push({ level: match[2].length, text: match[3], line: Number(match[1]) - 1 });
  }
  return headings;
}

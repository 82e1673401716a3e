/** list_folder: lists the contents of a folder. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { createWorkBudget } from '../base/async';
import { nameOnLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import { fail, succeed } from '../ports/failure';
import { cleanPath, isInside, resolveFolder } from './resolve-path';
import { bytesFor, callStopped, counted, formatRange, pageOf } from './results';
import { tool } from './tool';

const defaultLimit = 200;
const maxLimit = 1_000;
const maxDepth = 5;

export const listFolder = tool({
  name: 'list_folder',
  agent: 'vault',
  description: 'Lists the files and folders in a folder, with note counts. Without a path, lists the vault root.',
  others: { [toolNames.findNotes]: 'for notes in all folders' },
  parameters: () =>
    z.object({
      path: z.string().optional(),
      depth: z.int().min(1).optional().describe('Default 1.'),
      limit: z.int().min(1).optional().describe(`Default ${defaultLimit}.`),
      startAt: z.int().min(1).optional(),
    }),
  effect: 'reads',
  fromTier: 3,
  title: ({ path }) => words.tools.listTitle(cleanPath(path ?? '')),
  async run({ path = '', depth: levelsAsked = 1, limit = defaultLimit, startAt = 1 }, vault, signal, place) {
    const depth = Math.min(levelsAsked, maxDepth);
    const found = resolveFolder(vault, path);
    if (!found.ok) return found;
    const folder = found.value;
    const budget = createWorkBudget(signal);
    const below = (inner: string): number => levels(inner) - (folder === '' ? 0 : levels(folder));
    const folders = vault.folders().filter((each) => isInside(each, folder) && below(each) <= depth);
    const counts = new Map(folders.map((each) => [each, 0]));
    const files: string[] = [];
    for (const file of vault.files()) {
      const going = budget.spend(30);
      if (going !== true && !(await going)) return fail(callStopped());
      if (!isInside(file.path, folder)) continue;
      if (below(file.path) <= depth) files.push(file.path);
      if (file.kind === 'note') addToParents(counts, file.path);
    }
    const paths = [...folders, ...files];
    const rows = [
      ...folders.map((each) => formatFolderRow({ path: nameOnLine(each), notes: counts.get(each) ?? 0 })),
      ...files.map(nameOnLine),
    ];
    const page = pageOf(rows, startAt, Math.min(limit, maxLimit), bytesFor(place));
    const name = folder === '' ? 'The vault' : nameOnLine(folder);
    const kinds = `${name}: ${counted(folders.length, 'folder')}, ${counted(files.length, 'file')}`;
    const text = [`${kinds}; ${formatRange(startAt, page, 'entries ')}`, ...page.rows].join('\n');
    const named = paths.slice(startAt - 1, startAt - 1 + page.rows.length);
    return succeed({ text, sources: [], touched: [folder], named });
  },
});

function levels(path: string): number {
  return path.split('/').length;
}

function addToParents(counts: Map<string, number>, path: string): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const parent = path.slice(0, end);
    const count = counts.get(parent);
    if (count !== undefined) counts.set(parent, count + 1);
  }
}

interface ListedFolder {
  readonly path: string;
  /** The number of notes in the folder and below it. */
  readonly notes: number;
}

function formatFolderRow({ path, notes }: ListedFolder): string {
  return `${path}/ (${counted(notes, 'note')})`;
}

/**
 * Folder listing: the text of list_folder, which models read and the built-in reader parses.
 *
 *     listing = summary LF *( folder / file )
 *     folder  = path "/ (" count " notes)" LF
 *     file    = path LF
 */
export interface FolderListing {
  readonly summary: string;
  readonly folders: readonly ListedFolder[];
  readonly files: readonly string[];
}

export function parseFolderListing(text: string): FolderListing {
  const [summary = '', ...rows] = text.split('\n');
  const folders: ListedFolder[] = [];
  const files: string[] = [];
  for (const row of rows) {
    const folder = /^(.+)\/ \(([\d,]+) notes?\)$/.exec(row);
    if (folder?.[1] !== undefined)
      folders.push({ path: folder[1], notes: Number((folder[2] ?? '').replace(/,/g, '')) });
    else if (row !== '') files.push(row);
  }
  return { summary, folders, files };
}

/** note_links: lists the links of a note and the notes that link to it. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { nameOnLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import { succeed } from '../ports/failure';
import type { FileEntry, NoteLink } from '../ports/vault';
import { cleanPath, isUnindexed, nameOf, resolveFile } from './resolve-path';
import { bytesFor, counted, formatRange, pageOf } from './results';
import { tool } from './tool';

const pageRows = 500;

export const noteLinks = tool({
  name: 'note_links',
  agent: 'notes',
  description: 'Lists the links, embeds, unresolved links and backlinks of a note or attachment.',
  others: { [toolNames.noteOutline]: 'for headings' },
  parameters: () =>
    z.object({
      path: z.string(),
      startAt: z.int().min(1).optional(),
    }),
  effect: 'reads',
  fromTier: 3,
  title: ({ path }) => words.tools.linksTitle(nameOf(cleanPath(path))),
  async run({ path, startAt = 1 }, vault, signal, place) {
    const found = await resolveFile(vault, path, signal);
    if (!found.ok) return found;
    const file = found.value.path;
    const outline = vault.outline(file);
    const links = outline?.links ?? [];
    const backlinks = vault.backlinks(file);
    const hasProperties = Object.keys(outline?.properties ?? {}).length > 0;
    const leading = byTarget(
      links.filter((link) => link.path !== undefined),
      hasProperties,
    );
    const lost = byTarget(
      links.filter((link) => link.path === undefined),
      hasProperties,
    );
    const rows = [
      ...leading.map((row) => `to ${row}`),
      ...backlinks.map((from) => `from ${nameOnLine(from)}`),
      ...lost.map((row) => `unresolved ${row}`),
    ];
    const page = pageOf(rows, startAt, pageRows, bytesFor(place));
    const isKnown = outline !== undefined;
    const counts = [
      ...(isKnown ? [`links to ${counted(leading.length, 'file')}`] : []),
      `linked from ${counted(backlinks.length, 'note')}`,
      ...(isKnown ? [counted(lost.length, 'unresolved link')] : []),
    ];
    const part = page.rows.length === rows.length ? '' : ` Of ${rows.length} rows, ${formatRange(startAt, page)}`;
    const missing = isKnown ? '' : whyMissing(found.value);
    return succeed({
      text: [`${nameOnLine(file)}: ${counts.join('; ')}.${part}${missing}`, ...page.rows].join('\n'),
      sources: [{ path: file }],
      touched: [file],
      named: [...links.flatMap((link) => link.path ?? []), ...backlinks],
    });
  },
});

/** Says why the links of a file itself are not listed; empty for one that has none. */
function whyMissing(file: FileEntry): string {
  if (isUnindexed(file, undefined)) return ' Obsidian has not indexed its own links yet.';
  return /\.(?:canvas|base)$/i.test(file.path) ? ' Its own links are not listed: they are in its text.' : '';
}

/**
 * Returns one row per target, with the lines of all links to it.
 * @param hasProperties whether the first line begins the properties: Obsidian does not say in which line of them a link is
 */
function byTarget(links: readonly NoteLink[], hasProperties: boolean): string[] {
  const targets = new Map<string, { lines: number[]; embed: boolean; isProperty: boolean }>();
  for (const link of links) {
    const key = link.path ?? link.target;
    const known = targets.get(key) ?? { lines: [], embed: false, isProperty: false };
    const isProperty = hasProperties && link.line === 0;
    if (!isProperty) known.lines.push(link.line + 1);
    targets.set(key, {
      lines: known.lines,
      embed: known.embed || link.embed,
      isProperty: known.isProperty || isProperty,
    });
  }
  return [...targets].map(([target, { lines, embed, isProperty }]) => {
    const shown = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ', …' : '');
    const places = [
      ...(isProperty ? ['properties'] : []),
      ...(lines.length > 0 ? [`${lines.length === 1 ? 'line' : 'lines'} ${shown}`] : []),
      ...(embed ? ['embedded'] : []),
    ];
    return `${nameOnLine(target)} (${places.join(', ')})`;
  });
}

/** move_note: moves or renames a file through Obsidian, which updates the links to it if it is set to (R067). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { succeed } from '../ports/failure';
import { cleanPath, inSpelledFolder, nameOf, resolveFile, spellFolder } from './resolve-path';
import { describeWrite } from './results';
import { tool } from './tool';

export const moveNote = tool({
  name: 'move_note',
  agent: 'vault',
  description: 'Moves or renames a file and updates the links to it.',
  parameters: () => z.object({ path: z.string(), newPath: z.string().describe('Path or folder.') }),
  effect: 'writes',
  needs: 'W3',
  fromTier: 3,
  title: ({ path, newPath }) => words.writing.moveTitle(nameOf(cleanPath(path)), cleanPath(newPath)),
  async run({ path, newPath }, vault, signal, place) {
    const found = await resolveFile(vault, path, signal);
    if (!found.ok) return found;
    const from = found.value.path;
    const wanted = cleanPath(newPath);
    const name = from.slice(from.lastIndexOf('/') + 1);
    const extension = /\.[^./]+$/.exec(name)?.[0] ?? '';
    const folder = spellFolder(vault, wanted);
    const isFolder = newPath.trim().endsWith('/') || vault.folders().includes(folder);
    const named = wanted.toLowerCase().endsWith(extension.toLowerCase()) ? wanted : `${wanted}${extension}`;
    const inFolder = folder === '' ? name : `${folder}/${name}`;
    const to = isFolder ? inFolder : inSpelledFolder(vault, named);
    const countLinking = (target: string): number =>
      vault.backlinks(target).filter((each) => /\.md$/i.test(each)).length;
    const before = countLinking(from);
    const moved = await describeWrite(place, (writes) => writes.move(from, to));
    const lost = before - countLinking(to);
    if (!moved.ok || lost <= 0) return moved;
    return succeed({ ...moved.value, text: `${moved.value.text} ${words.review.linksBreak(lost)}` });
  },
});

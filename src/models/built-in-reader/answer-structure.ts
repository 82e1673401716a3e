/** Answers that show how things are laid out: the entries of a folder, the headings of a note. */
import { parseFolderListing } from '../../core/tools/list-folder';
import { parseHeadingRows } from '../../core/tools/note-outline';
import { words } from '../../text';
import { linkTo, titleOf } from './note-link';

export function listFolder(result: string, folder: string): string[] {
  const { summary, folders, files } = parseFolderListing(result);
  const isTop = summary.startsWith('The vault: ');
  const name = isTop ? '' : summary.slice(0, Math.max(0, summary.lastIndexOf(': '))) || folder;
  const rows = [
    ...folders.map((each) => `- ${codeOf(`${each.path}/`)} (${words.reader.countedNotes(each.notes)})`),
    ...files.map((path) => `- ${linkTo(path)}`),
  ];
  if (rows.length === 0) return [isTop ? words.reader.vaultEmpty : words.reader.folderEmpty(name)];
  const blocks = [isTop ? words.reader.leadVault : words.reader.leadFolder(name), rows.join('\n')];
  if (summary.includes('startAt')) blocks.push(words.reader.folderPart);
  return blocks;
}

export function outlineNote(result: string): string[] {
  const path = pathOfOutline(result);
  const headings = parseHeadingRows(result);
  const title = titleOf(path);
  if (headings.length === 0) return [words.reader.noHeadings(title), linkTo(path)];
  const highest = Math.min(...headings.map((heading) => heading.level));
  const rows = headings.map(({ level, text }) => `${'  '.repeat(level - highest)}- ${linkTo(path, text, text)}`);
  const blocks = [`${words.reader.leadOutline(title, headings.length)} ${linkTo(path)}`, rows.join('\n')];
  if (/, go on with startLine \d+:$/m.test(result)) blocks.push(words.reader.outlinePart);
  return blocks;
}

/** The first line is "path: n lines, n bytes." */
function pathOfOutline(result: string): string {
  const first = result.slice(0, result.indexOf('\n') === -1 ? undefined : result.indexOf('\n'));
  return first.replace(/: [\d,]+ lines?, [\d,]+ bytes?\.$/, '');
}

function codeOf(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

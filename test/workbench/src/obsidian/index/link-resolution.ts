/** Which file a link means, and the shortest text that means a file. */
import { normalizePath } from '../base/text';
import type { TFile } from '../vault/files';
import { getParentPath, ROOT } from '../vault/file-tree';
import type { Vault } from '../vault/vault';

const tailOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** All files a link path may mean, the best first: exact path, then below the source's folder, then short paths. */
export function findLinkTargets(vault: Vault, linkpath: string, sourcePath: string): TFile[] {
  const source = vault.getFileByPath(sourcePath);
  if (linkpath === '') return source ? [source] : [];
  const folder = getParentPath(sourcePath);
  const relative = /^\.\.?\//.test(linkpath);
  const path = relative ? joinRelative(folder, linkpath) : linkpath.replace(/^\/+/, '');
  const wanted = path.toLowerCase();
  const named = [...vault.getFilesNamed(tailOf(path)), ...vault.getFilesNamed(`${tailOf(path)}.md`)];
  const fits = (file: TFile): boolean => [wanted, `${wanted}.md`].includes(file.path.toLowerCase());
  const exact = named.filter(fits);
  if (exact.length || relative || linkpath.startsWith('/')) return exact;
  const below = folder === ROOT ? '' : `${folder}/`;
  const distance = (file: TFile): number => (file.path.startsWith(below) ? 0 : 1);
  return named
    .filter((file) => {
      const lower = file.path.toLowerCase();
      return lower.endsWith(`/${wanted}`) || lower.endsWith(`/${wanted}.md`);
    })
    .sort(
      (first, second) =>
        distance(first) - distance(second) ||
        first.path.length - second.path.length ||
        (first.path < second.path ? -1 : 1),
    );
}

export function toLinktext(vault: Vault, file: TFile, omitMdExtension: boolean): string {
  const omit = omitMdExtension && file.extension === 'md';
  const unique = vault.getFilesNamed(file.name).length < 2;
  const text = unique ? file.name : file.path;
  return omit ? text.slice(0, -3) : text;
}

/** The path that leads from a note to a file, as `./` and `../` steps where they are needed. */
export function toRelativePath(from: string, to: string): string {
  const [start, target] = [from, to].map((path) => path.split('/').slice(0, -1));
  let shared = 0;
  while (shared < start!.length && start![shared] === target![shared]) shared++;
  return [...start!.slice(shared).map(() => '..'), ...target!.slice(shared), tailOf(to)].join('/');
}

/** Takes the steps of a link from a folder; those above the vault stay at its top. */
function joinRelative(folder: string, linkpath: string): string {
  return linkpath
    .split('/')
    .filter((step) => step !== '.')
    .reduce((at, step) => (step === '..' ? getParentPath(at) : normalizePath(`${at}/${step}`)), folder);
}

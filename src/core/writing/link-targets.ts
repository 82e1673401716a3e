/** Which of some files a link means: the exact path, then one below the note's folder, then the shortest path. */

/** @param link a link's path, without heading or block */
export function bestTarget(paths: readonly string[], link: string, fromPath: string): string | undefined {
  const folder = fromPath.slice(0, fromPath.lastIndexOf('/') + 1);
  const relative = /^\.\.?\//.test(link);
  const wanted = (relative ? joinPath(folder, link) : link.replace(/^\/+/, '')).toLowerCase();
  const ends = [wanted, `${wanted}.md`];
  const exact = paths.find((path) => ends.includes(path.toLowerCase()));
  if (exact !== undefined || relative || link.startsWith('/')) return exact;
  return paths
    .filter((path) => ends.some((end) => path.toLowerCase().endsWith(`/${end}`)))
    .sort(
      (a, b) => Number(b.startsWith(folder)) - Number(a.startsWith(folder)) || a.length - b.length || (a < b ? -1 : 1),
    )[0];
}

/** What the last part of a link or path is compared by: the file's name in lower case, without `.md`. */
export function linkName(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.md$/, '');
}

/** The path of a link without heading or block. */
export function linkPath(link: string): string {
  return link.replace(/[#^].*$/s, '').trim();
}

function joinPath(folder: string, link: string): string {
  const parts = folder.split('/').filter((part) => part !== '');
  for (const step of link.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.' && step !== '') parts.push(step);
  }
  return parts.join('/');
}

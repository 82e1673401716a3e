/** Which files the app rewrites when another moves, and which of them it has still to rewrite. */
import type { App, CachedMetadata, TFile } from 'obsidian';

/** Files with links to this one, canvases among them: the app keeps no index of what those hold. */
export function linkSourcesOf({ vault, metadataCache }: Pick<App, 'vault' | 'metadataCache'>, path: string): string[] {
  const sources = new Set<string>();
  for (const [source, targets] of Object.entries(metadataCache.resolvedLinks)) {
    if (Object.hasOwn(targets, path)) sources.add(source);
  }
  for (const { extension, path: canvas } of vault.getFiles()) if (extension === 'canvas') sources.add(canvas);
  sources.delete(path);
  return [...sources].sort();
}

/** Notes with a link that leads nowhere and whose last part is this name, in lower case and without `.md`. */
export function danglingSourcesOf({ metadataCache }: App, name: string): string[] {
  return Object.entries(metadataCache.unresolvedLinks).flatMap(([source, targets]) =>
    Object.keys(targets).some((target) => lastPart(target) === name) ? [source] : [],
  );
}

/** The links of each note that lead to a file, as they are written. */
export function linksTo({ vault, metadataCache }: App, file: TFile): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, readonly string[]>();
  for (const source of linkSourcesOf({ vault, metadataCache }, file.path)) {
    const note = vault.getFileByPath(source);
    const cache = note === null ? null : metadataCache.getFileCache(note);
    const own = linksIn(cache).filter((link) => metadataCache.getFirstLinkpathDest(link, source) === file);
    if (own.length > 0) links.set(source, own);
  }
  return links;
}

/** Notes whose links have led to the file and do so no longer under its new path. */
export function brokenSources(
  { metadataCache }: App,
  file: TFile,
  links: ReadonlyMap<string, readonly string[]>,
): string[] {
  return [...links].flatMap(([source, own]) =>
    own.some((link) => metadataCache.getFirstLinkpathDest(link, source) !== file) ? [source] : [],
  );
}

function linksIn(cache: CachedMetadata | null): string[] {
  const all = [...(cache?.links ?? []), ...(cache?.embeds ?? []), ...(cache?.frontmatterLinks ?? [])];
  return all.map(({ link }) => link.replace(/[#^|].*$/s, '')).filter((link) => link !== '');
}

function lastPart(link: string): string {
  return link
    .replace(/[#^|].*$/s, '')
    .replace(/^.*\//, '')
    .replace(/\.md$/i, '')
    .toLowerCase();
}

/** Makes links follow a moved file, leaving aliases, subpaths, embeds and everything else as written. */
import type { CachedMetadata, Reference } from 'obsidian';
import { TFile, TFolder, type TAbstractFile } from '../vault/files';
import { rewriteCanvas } from './canvas';
import { getLinkpath } from './links';
import type { MetadataCache } from './metadata-cache';
import { decodeLink } from './note-inline';
import { parseNote } from './parse-note';
import { Vault } from '../vault/vault';

/** For each note to look into: the link paths in it and the files they meant before the move. */
export type LinkTargets = Map<TFile, Map<string, TFile>>;

const referencesOf = (cache: CachedMetadata): Reference[] => [
  ...(cache.links ?? []),
  ...(cache.embeds ?? []),
  ...(cache.frontmatterLinks ?? []),
];

/** To be called before the move. Notes that are not indexed yet are not found. */
export function collectLinkTargets(vault: Vault, cache: MetadataCache, moving: TAbstractFile): LinkTargets {
  const movers = new Set<TFile>();
  const add = (file: TAbstractFile): void => void (file instanceof TFile && movers.add(file));
  if (moving instanceof TFolder) Vault.recurseChildren(moving, add);
  else add(moving);

  const targets: LinkTargets = new Map();
  for (const [path, links] of Object.entries(cache.resolvedLinks)) {
    const source = vault.getFileByPath(path);
    if (!source) continue;
    const metadata = cache.getFileCache(source);
    const references = metadata ? referencesOf(metadata) : cache.getCanvasLinks(path);
    const moves = movers.has(source);
    if (!moves && !Object.keys(links).some((target) => movers.has(vault.getFileByPath(target)!))) continue;
    const meant = new Map<string, TFile>();
    for (const { link } of references) {
      const linkpath = getLinkpath(link);
      const target = linkpath === '' ? null : cache.getFirstLinkpathDest(linkpath, path);
      if (target && (moves || movers.has(target))) meant.set(linkpath, target);
    }
    if (meant.size) targets.set(source, meant);
  }
  return targets;
}

/** Keeps only the links that no longer lead to the file they meant. */
export function findBrokenLinks(cache: MetadataCache, targets: LinkTargets): LinkTargets {
  const broken: LinkTargets = new Map();
  for (const [source, meant] of targets) {
    const lost = [...meant].filter(([linkpath, target]) => {
      return cache.getFirstLinkpathDest(linkpath, source.path) !== target;
    });
    if (lost.length && !source.deleted) broken.set(source, new Map(lost));
  }
  return broken;
}

/** As `rewriteLinks` for a canvas, whose cards hold full paths. */
export function rewriteCanvasLinks(text: string, lost: Map<string, TFile>, toPath: (file: TFile) => string): string {
  return rewriteCanvas(
    text,
    (path) => lost.get(`/${path}`)?.path,
    (card) => rewriteLinks(card, lost, toPath),
  );
}

/** `toPath` gives the new link path of a file, with its extension. */
export function rewriteLinks(text: string, lost: Map<string, TFile>, toPath: (file: TFile) => string): string {
  const metadata = parseNote(text);
  let result = text;
  const inText = [...(metadata.links ?? []), ...(metadata.embeds ?? [])].sort(
    (first, second) => second.position.start.offset - first.position.start.offset,
  );
  for (const { link, original, position } of inText) {
    const target = lost.get(getLinkpath(link));
    if (!target) continue;
    const { start, end } = position;
    result = result.slice(0, start.offset) + replacePath(original, toPath(target)) + result.slice(end.offset);
  }
  const closing = metadata.frontmatterPosition?.end.offset ?? 0;
  let frontmatter = result.slice(0, closing);
  for (const { link, original } of metadata.frontmatterLinks ?? []) {
    const target = lost.get(getLinkpath(link));
    if (target) frontmatter = frontmatter.split(original).join(replacePath(original, toPath(target)));
  }
  return frontmatter + result.slice(closing);
}

/** Swaps the path inside one written link. */
function replacePath(original: string, path: string): string {
  const bare = path.replace(/\.md$/i, '');
  const wiki = /^(!?\[\[)([^#|\]]*?)((?:#[^|\]]*?)?(?:\\?\|[^]*)?\]\])$/.exec(original);
  if (wiki) return wiki[1] + (/\.md$/i.test(wiki[2]!.trim()) ? path : bare) + wiki[3];
  const markdown = /^(!?\[[^]*\]\()(<?)([^#)>]*)((?:#[^>]*?)?>?[^]*\))$/.exec(original);
  if (!markdown) return original;
  const written = /\.md$/i.test(decodeLink(markdown[3]!)) || /\.[^./]+$/.test(path.replace(/\.md$/i, '')) ? path : bare;
  return markdown[1]! + markdown[2]! + (markdown[2] ? written : encodeLink(written)) + markdown[4]!;
}

export function encodeLink(path: string): string {
  return path.replace(/[\s%()<>\\\u0000-\u001F]/g, encodeCharacter);
}

const encodeCharacter = (character: string): string =>
  character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character);

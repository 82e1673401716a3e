/**
 * The contents of the vault: a map of its notes, a list of its files, a tree of its folders, or its root (R161, R162,
 * R194).
 */
import { rememberOf } from '../../base/lazy';
import { type Content, element } from '../../markup/markup';
import { counted } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { hasSection, type Offered, offeredTools, offers } from '../facts/turn-state';
import { type FolderBlock, formatFolder, listVault, type VaultListing } from '../listing/vault-listing';
import { type Fact, type SectionItem, section } from '../section';
import { headers, type VaultStructure } from '../world';

/** The contents of the vault, in as much detail as the context window allows (R161, R194, R264, K15). */
export const vaultListing: Fact<VaultListing | null> = {
  id: 'vault-listing',
  afterReads: true,
  gather: ({ vault, turn }) =>
    listVault(vault, {
      contextWindow: turn.contextWindow,
      attached: hasSection(turn, 'context-notes') ? turn.contextNotes : [],
    }),
};

export const mapLegend = headers.REPO_MAP_HEADER;

export const vaultListingSection = section({
  id: 'vault-listing',
  zone: 'reference',
  share: 'lists',
  buildOrder: 60,
  priority: 50,
  trim: 'tail',
  needs: { listing: vaultListing, tools: offeredTools },
  when: ({ listing }) => listing !== null && !isEmpty(listing),
  full: ({ listing, tools }) => (listing === null ? [] : show(listing, tools)),
  items: ({ listing, tools }) => (listing === null ? null : itemsOf(listing, tools)),
  brief: ({ listing }) => (listing === null ? [] : [element('vault_structure', {}, summarise(listing))]),
});

function isEmpty(listing: VaultListing): boolean {
  return (
    listing.form === 'root' && listing.rootFolders.length + listing.rootFiles.length + (listing.omitted ?? 0) === 0
  );
}

/** Splits a map by folder; anything else is one item. */
function itemsOf(listing: VaultListing, tools: Offered): readonly SectionItem[] {
  if (listing.form !== 'map') return [{ key: 'tree:', content: show(listing, tools), lines: linesOf(listing) }];
  return listing.blocks.map((block) => ({
    key: `map:${block.path}`,
    content: [showFolder(block)],
    modified: block.modified ?? 0,
    ...(block.lines === undefined ? {} : { lines: block.lines }),
    otherLines: () => block.otherLines ?? {},
  }));
}

/** The same element for the same folder: as an item and in the section, its text is escaped once. */
const showFolder = rememberOf(({ path, text }: FolderBlock) => element('folder', { path: path || '/' }, text));

/** Uses names alone: counts change with every file, but a new name identifies a new entry. */
function linesOf(listing: Exclude<VaultListing, { readonly form: 'map' }>): Record<string, string> {
  const names =
    listing.form === 'files'
      ? listing.paths
      : listing.form === 'folders'
        ? [...listing.rows.map(({ path }) => `${path}/`), ...listing.rootFiles]
        : [...listing.rootFolders.map((path) => `${path}/`), ...listing.rootFiles];
  return Object.fromEntries(names.map((name) => [name, '']));
}

function show(listing: VaultListing, tools: Offered): Content {
  switch (listing.form) {
    case 'map':
      return [element('vault_map', {}, mapLegend, ...listing.blocks.flatMap((block) => ['\n', showFolder(block)]))];
    case 'files':
      return [
        element(
          'vault_structure',
          {},
          [`# File Tree (${counted(listing.paths.length, 'file')})`, ...listing.paths].join('\n'),
          '\n\nThis is the complete list. Read a note before you state, quote or change what is in it.',
        ),
      ];
    case 'folders':
      return [
        element(
          'vault_structure',
          {},
          [
            `# Folder tree (${counted(listing.files, 'file')})`,
            'Each folder with the number of files in it and below it' +
              (listing.isWhole ? '.' : `, down to level ${listing.depth}; there are deeper ones.`),
            ...listing.rows.map(formatFolder),
            ...listing.rootFiles,
          ].join('\n'),
          describeWaysOn(tools),
        ),
      ];
    case 'root':
      return [element('vault_structure', {}, showRoot(listing, listing.omitted ?? 0), describeWaysOn(tools))];
  }
}

function showRoot({ rootFolders, rootFiles }: VaultStructure, omitted: number): string {
  const shown = rootFolders.length + rootFiles.length;
  if (shown === 0) return `At the root of the vault: ${counted(omitted, 'item')}, not listed here.`;
  const parts = ['At the root of the vault:'];
  if (rootFolders.length > 0) parts.push(['Folders:', ...rootFolders.map((folder) => ` - ${folder}/`)].join('\n'));
  if (rootFiles.length > 0) parts.push(['Files:', ...rootFiles.map((file) => ` - ${file}`)].join('\n'));
  if (omitted > 0) parts.push(`… and ${omitted} more.`);
  return parts.join('\n\n');
}

/** Returns a paragraph about the tools that show more; empty if there are none. */
function describeWaysOn(tools: Offered): string {
  const searching = [toolNames.searchNotes, toolNames.findNotes].filter((name) => offers(tools, name));
  const ways = [
    ...(offers(tools, toolNames.listFolder) ? [`${toolNames.listFolder} shows what is in a folder`] : []),
    ...(searching.length === 0
      ? []
      : [`${searching.join(' and ')} ${searching.length === 1 ? 'searches' : 'search'} everywhere`]),
  ];
  return ways.length === 0 ? '' : `\n\n${ways.join('; ')}.`;
}

/** Lists the top folders by name. */
function summarise(listing: VaultListing): string {
  const folders = topFolders(listing);
  return folders.length === 0 ? 'No folders.' : `Top folders: ${folders.join(', ')}`;
}

function topFolders(listing: VaultListing): readonly string[] {
  switch (listing.form) {
    case 'map':
      return topOf(listing.blocks.map(({ path }) => `${path}/`));
    case 'files':
      return topOf(listing.paths);
    case 'folders':
      return topOf(listing.rows.map(({ path }) => `${path}/`));
    case 'root':
      return listing.rootFolders;
  }
}

function topOf(paths: readonly string[]): string[] {
  const tops = paths.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/')));
  return [...new Set(tops)].filter((top) => top !== '');
}

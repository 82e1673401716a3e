/** Words of the tools area: titles of calls, and what a call says when it cannot be carried out. */

export const tools = () => ({
  searchTitle: (query: string) => `Search notes for “${query}”`,
  findTitle: (what: string) => (what === '' ? 'Find notes' : `Find notes: ${what}`),
  listTitle: (folder: string) => (folder === '' ? 'List the vault' : `List ${folder}`),
  readTitle: (note: string) => `Read ${note}`,
  readSeveralTitle: (count: number) => (count === 1 ? 'Read 1 note' : `Read ${count} notes`),
  outlineTitle: (note: string) => `Outline ${note}`,
  linksTitle: (note: string) => `Links of ${note}`,
  nearest: (names: readonly string[]) => `Nearest: ${names.join(', ')}.`,
  pathIsFolder: (path: string) => `“${path}” is a folder.`,
  pathIsFolderRemedy: 'List it with list_folder, or give the path of a note.',
  folderMissing: (path: string) => `There is no folder at “${path}”.`,
  folderMissingRemedy: 'List the vault without a path to see its folders.',
  headingMissing: (heading: string, path: string) => `“${path}” has no heading “${heading}”.`,
  noHeadingsRemedy: 'It has no headings; read it without one.',
  headingMissingRemedy: (names: readonly string[]) => `Its nearest headings: ${names.join('; ')}.`,
  blockMissing: (block: string, path: string) => `“${path}” has no block “^${block}”.`,
  blockMissingRemedy: (names: readonly string[]) =>
    names.length === 0 ? 'It has no block ids; read it by heading or lines.' : `Its blocks: ${names.join(', ')}.`,
  linesMissing: (path: string, count: string) => `“${path}” has only ${count} lines.`,
  linesMissingRemedy: 'Ask for lines it has.',
  linesOutsidePart: (path: string, range: string) => `That part of “${path}” is lines ${range}.`,
  queryEmpty: 'The search has no words.',
  queryEmptyRemedy: 'Give the words to look for.',
  propertyUnclear: (property: string) => `“${property}” does not name a property.`,
  propertyUnclearRemedy: 'Write a property as name or name=value.',
});

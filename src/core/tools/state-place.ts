/** Where states of the work are kept, and what their notes are called. */

/** Characters of a name that is made of what a model calls it. */
const longestName = 80;

export function statesFolder(agentFolder: string): string {
  return `${agentFolder}/states`;
}

/** What a file may be called on every system, without what means something in a link; without its extension. */
export function stateFileName(name: string): string {
  const plain = name
    .replace(/[\\/:*?"<>|#^[\]\s]+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, longestName)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return plain === '' ? 'State' : plain;
}

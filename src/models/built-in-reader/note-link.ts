/** Note link: a link to a note or a heading in it that Obsidian resolves, whatever the names hold. */

/** The name of a note as people see it. */
export function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

export function linkTo(path: string, heading?: string, label?: string): string {
  const anchor = heading === undefined ? '' : plainAnchor(heading);
  const shown = label ?? (heading === undefined ? titleOf(path) : `${titleOf(path)} › ${heading}`);
  const target = path.replace(/\.md$/i, '');
  if (/[[\]#|^\n]/.test(target)) return markdownLink(path, anchor, shown);
  return `[[${target}${anchor === '' ? '' : `#${anchor}`}|${plainLabel(shown)}]]`;
}

/** A heading as a link names it: signs that have a meaning in links become spaces. */
function plainAnchor(heading: string): string {
  return heading
    .replace(/[:#|^\\\r\n[\]]|%%/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function plainLabel(text: string): string {
  return text
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/[[\]|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function markdownLink(path: string, anchor: string, label: string): string {
  const target = encodeURI(path).replace(/[#?()^[\]]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const fragment = anchor === '' ? '' : `#${encodeURIComponent(anchor)}`;
  return `[${label.replace(/([\\[\]])/g, '\\$1')}](${target}${fragment})`;
}

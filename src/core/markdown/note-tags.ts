/** The tags of a note: those that Obsidian finds, and, for hiding notes, those that its author may have meant. */

const tag = /(?:^|\s)(#[^\u2000-\u200c\u200e-\u206f\u2e00-\u2e7f'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s]+)/gm;

/** Returns the tags in visible text, with their `#`; digits alone are no tag. */
export function tagsIn(visible: string): string[] {
  return [...visible.matchAll(tag)].map((match) => match[1] ?? '').filter((found) => !/^#\d+$/.test(found));
}

/** Whether a text with its `#` is one whole tag. */
function isTag(text: string): boolean {
  return tagsIn(text)[0] === text;
}

/**
 * Returns the tags that Obsidian finds among the properties, with their `#`: those of the property `tags`. A text is
 * one tag, and a comma or a space in it makes it none.
 */
export function propertyTags(properties: Readonly<Record<string, unknown>>): string[] {
  const name = Object.keys(properties).find((key) => key.toLowerCase() === 'tags');
  const value = name === undefined ? undefined : properties[name];
  return entriesOf(value).flatMap((entry) => toTag(String(entry)) ?? []);
}

/** Returns an entry of the property `tags` as a tag with its `#`; null if it is none. */
export function toTag(entry: string): string | null {
  const found = entry.trim().replace(/^#?/, '#');
  return isTag(found) ? found : null;
}

function entriesOf(value: unknown): (string | number)[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((entry): entry is string | number => typeof entry === 'string' || typeof entry === 'number');
}

/**
 * Returns every tag that the properties may mean, without `#`: also of `tag`, in other letter case, several in one
 * text, and below other properties. Obsidian finds fewer, but a note that its author marked must not be read. Takes
 * properties nested to any depth, and those that contain themselves, as anchors of YAML can make them.
 */
export function spelledTags(properties: unknown): string[] {
  const found: string[][] = [];
  const seen = { named: new Set<unknown>(), other: new Set<unknown>() };
  const left: { readonly value: unknown; readonly isNamed: boolean }[] = [{ value: properties, isNamed: false }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, isNamed } = next;
    if (isNamed && (typeof value === 'string' || typeof value === 'number')) found.push(splitTags(String(value)));
    const known = isNamed ? seen.named : seen.other;
    if (typeof value !== 'object' || value === null || known.has(value)) continue;
    known.add(value);
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value).reverse()) {
      left.push({ value: member, isNamed: isNamed || (!isList && isTagKey(key)) });
    }
  }
  // One text may name more tags than a call takes arguments.
  return found.flat();
}

const tagKey = /(?:^|[\s{,"'-])tags?["']?[ \t]*:/i;
const otherKey = /^[ \t]*[^\s:"'#-][^:]*:(?:\s|$)/;

/** Returns the same from the lines of a properties block, also of one that is not valid YAML. */
export function spelledTagsIn(block: string): string[] {
  const found: string[][] = [];
  let isNamed = false;
  for (const line of block.split(/\r?\n/)) {
    const key = tagKey.exec(line);
    if (key !== null) isNamed = true;
    else if (otherKey.test(line)) isNamed = false;
    if (isNamed) found.push(splitTags(key === null ? line : line.slice(key.index + key[0].length)));
  }
  return found.flat();
}

function isTagKey(key: string): boolean {
  return /^tags?$/i.test(key.trim());
}

function splitTags(text: string): string[] {
  return text
    .split(/[\s,;[\]{}"']+/)
    .map((part) => part.replace(/^(?:#|-(?=#|$))+/, ''))
    .filter((part) => part !== '');
}

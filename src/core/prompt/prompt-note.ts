/** What a prompt looks like as a note: the text of a new one, and a name for its file. */

export interface PromptDraft {
  readonly name: string;
  readonly description: string;
  readonly text: string;
  readonly tags?: readonly string[];
  readonly requiredTools?: readonly string[];
  readonly version?: string;
}

/** Quoted as JSON, which YAML reads the same, so that no sign in a name means anything. */
export function promptNote({ name, description, text, tags = [], requiredTools = [], version }: PromptDraft): string {
  const list = (items: readonly string[]): string => `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;
  const lines = [
    `name: ${JSON.stringify(name.trim())}`,
    ...(description.trim() === '' ? [] : [`description: ${JSON.stringify(description.trim())}`]),
    ...(tags.length === 0 ? [] : [`tags: ${list(tags)}`]),
    ...(requiredTools.length === 0 ? [] : [`requiredTools: ${list(requiredTools)}`]),
    ...(version === undefined ? [] : [`version: ${JSON.stringify(version)}`]),
  ];
  return `---\n${lines.join('\n')}\n---\n\n${text.trim()}\n`;
}

/** Characters of a file's name, without its number and extension. */
const longestName = 80;

/** A path in this folder that no file has yet, made from the prompt's name. */
export function freePromptPath(folder: string, name: string, isTaken: (path: string) => boolean): string {
  const plain = name
    .replace(/[\\/:*?"<>|#^[\]\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  const start = Array.from(plain).slice(0, longestName).join('').trim() || 'Prompt';
  for (let number = 1; ; number += 1) {
    const path = `${folder}/${start}${number === 1 ? '' : ` ${number}`}.md`;
    if (!isTaken(path)) return path;
  }
}

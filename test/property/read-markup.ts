/** Reads a prompt back by the grammar of Docent's own tags: everything else is text. */
import { decodeAttribute, decodeText } from '../../src/core/markup/escapes';
import { tags } from '../../src/core/markup/tags';

export interface ReadElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadElement[];
  /** All text directly inside, decoded. */
  text: string;
}

const names = tags.join('|');
const tag = new RegExp(`<(?:(${names})((?: [a-z]+="[^"]*")*)|/(${names}))>`, 'g');
const attribute = / ([a-z]+)="([^"]*)"/g;

/**
 * The prompt's elements below one root.
 * @throws when tags do not pair up, or when a text reads like a tag
 */
export function readMarkup(prompt: string): ReadElement {
  const root: ReadElement = { tag: 'prompt', attributes: {}, children: [], text: '' };
  const open = [root];
  let end = 0;
  const takeText = (to: number): void => {
    const text = prompt.slice(end, to);
    refuseImitations(text);
    (open.at(-1) ?? root).text += decodeText(text);
  };
  for (const match of prompt.matchAll(tag)) {
    const [whole, opened, attributes = '', closed] = match;
    takeText(match.index);
    end = match.index + whole.length;
    if (opened !== undefined) {
      const element = { tag: opened, attributes: attributesIn(attributes), children: [], text: '' };
      open.at(-1)?.children.push(element);
      open.push(element);
    } else if (open.length === 1 || open.pop()?.tag !== closed) throw new Error(`${whole} closes nothing.`);
  }
  takeText(prompt.length);
  if (open.length > 1) throw new Error(`<${open.at(-1)?.tag ?? ''}> is not closed.`);
  return root;
}

function attributesIn(text: string): Record<string, string> {
  const found = [...text.matchAll(attribute)].map(([, name = '', value = '']): [string, string] => {
    refuseImitations(value);
    if (/[\t\r\n]/.test(value)) throw new Error(`An attribute has more than one line: ${value}`);
    return [name, decodeAttribute(value)];
  });
  return Object.fromEntries(found);
}

/** As a reader takes them: in any case and width, with letters of other scripts, with signs that nobody sees. */
const imitation = new RegExp(`<[^\\p{L}\\p{N}_<>]{0,8}(?:${names})(?![\\p{L}\\p{N}_])`, 'iu');
const alike: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  і: 'i',
  ѕ: 's',
  ο: 'o',
  ν: 'v',
};

const lookalike = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu');

function refuseImitations(text: string): void {
  if (!text.includes('<')) return;
  const shown = text.replace(/(?<=[\p{L}\p{N}_])\p{Default_Ignorable_Code_Point}+/gu, '').replace(/[^<>]+/g, (run) =>
    run
      .normalize('NFKC')
      .toLowerCase()
      .replace(lookalike, (each) => alike[each] ?? each),
  );
  const found = imitation.exec(shown);
  if (found !== null) throw new Error(`This reads like a tag: ${found[0]}`);
}

/** The body of an element: its text without the newline on each side. */
export function bodyOf({ text }: ReadElement): string {
  if (!text.startsWith('\n') || !text.endsWith('\n') || text.length < 2) throw new Error(`No body: ${text}`);
  return text.slice(1, -1);
}

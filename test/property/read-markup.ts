/** Reads a prompt back with a strict XML parser. */
import { SaxesParser } from 'saxes';

export interface ReadElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadElement[];
  /** All text directly inside. */
  text: string;
}

/**
 * The prompt's elements below one root.
 * @throws when the prompt is not well formed
 */
export function readMarkup(prompt: string): ReadElement {
  const parser = new SaxesParser({ xmlns: false, fragment: false });
  const top: ReadElement = { tag: 'document', attributes: {}, children: [], text: '' };
  const open = [top];
  const last = (): ReadElement => open[open.length - 1] ?? top;
  const refuse = (what: string) => (): never => {
    throw new Error(`A prompt must not hold ${what}.`);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { tag: name, attributes: attributes as Record<string, string>, children: [], text: '' };
    last().children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (text) => void (last().text += text));
  parser.on('cdata', refuse('a CDATA section'));
  parser.on('comment', refuse('a comment'));
  parser.on('processinginstruction', refuse('a processing instruction'));
  parser.on('doctype', refuse('a document type'));
  parser.write(`<prompt-root>${prompt}</prompt-root>`).close();
  const root = top.children[0];
  if (root === undefined) throw new Error('Nothing was read.');
  return root;
}

/** The body of an element: its text without the newline on each side. */
export function bodyOf({ text }: ReadElement): string {
  if (!text.startsWith('\n') || !text.endsWith('\n') || text.length < 2) throw new Error(`No body: ${text}`);
  return text.slice(1, -1);
}

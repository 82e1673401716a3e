/** What the writers of one block share, and what they may draw. */
import type { Token } from 'marked';
import type { ConfirmDecision, LinkDecision } from './link-gate';

/** What a drawn answer may ask of its environment; everything is passed in by the chat view. */
export interface RenderContext {
  /** Returns the vault path that a link text resolves to, or null. */
  resolveLink(linkText: string): string | null;
  openNote(linkText: string, newTab: boolean): void;
  /** Called only with an address that the gate allowed, after any confirmation. */
  openExternal(url: string): void;
  /** Asks the reader; without it, an address that needs a confirmation is not opened. */
  confirmLink?(decision: ConfirmDecision): Promise<boolean>;
  /** Shows the actions for an external link, on its context menu. */
  showLinkMenu?(decision: LinkDecision, event: MouseEvent): void;
  /** Highlights the text of a code element in place; called once, when the block is finished. */
  highlight?(code: string, language: string, element: HTMLElement): void;
  /** Returns the drawn formula, or null to show its source. */
  renderMath?(source: string, display: boolean): HTMLElement | null;
  /** Called when the pointer is over a link to a note; never while tainted. */
  previewNote?(linkText: string, target: HTMLElement, event: MouseEvent): void;
  /** Returns Obsidian's resource URL of an image in the vault, by vault path. */
  resolveImage?(path: string): string | null;
  /** Whether the chat has read untrusted text; read again whenever a link is used. */
  readonly tainted?: boolean;
  /** Addresses in the reader's own text, as `findUrls` returns them; absent if there are none. */
  readonly knownUrls?: ReadonlySet<string>;
}

export interface InlinePlace {
  readonly depth: number;
  /** Whether a link is open: links do not nest, so other links and images inside it are text. */
  readonly insideLink: boolean;
}

export interface Drawing {
  readonly context: RenderContext;
  /** Tokens of inline text. */
  readonly inline: (text: string) => Token[];
  /** Highlighting, which waits until the block is finished. */
  readonly afterwards: (() => void)[];
}

/** Writes the label of a link into its element. */
export type WriteLabel = (element: HTMLElement) => void;

/** The only elements that text from models and tools may become; `appendElement` alone creates them. */
export const ALLOWED_ELEMENTS = [
  'a',
  'blockquote',
  'br',
  'button',
  'code',
  'del',
  'div',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'img',
  'input',
  'li',
  'mark',
  'ol',
  'p',
  'pre',
  'span',
  'strong',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
] as const;

/** The only attributes. There is no `href`: a link has no destination of its own, so only the link gate can follow it. */
export const ALLOWED_ATTRIBUTES = [
  'align',
  'alt',
  'aria-label',
  'checked',
  'class',
  'data-callout',
  'data-href',
  'dir',
  'disabled',
  'role',
  'src',
  'start',
  'tabindex',
  'title',
  'type',
] as const;

export type AllowedElement = (typeof ALLOWED_ELEMENTS)[number];
export type AllowedAttribute = (typeof ALLOWED_ATTRIBUTES)[number];

/** Appends an element in the parent's own document; a tag or attribute that is not listed does not compile. */
export function appendElement<Tag extends AllowedElement>(
  parent: Node,
  tag: Tag,
  attributes: Partial<Record<AllowedAttribute, string>> = {},
): HTMLElementTagNameMap[Tag] {
  return parent.createEl(tag, { attr: attributes });
}

/** Appends text, merged with the text node before it. */
export function appendCharacters(parent: Node, text: string): void {
  if (text === '') return;
  const last = parent.lastChild;
  if (last?.nodeType === 3) (last as Text).appendData(text);
  else parent.appendText(text);
}

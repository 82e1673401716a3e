/** What the writers of one block share, and what they may draw. */
import type { Token } from 'marked';
import type { ConfirmDecision, LinkDecision } from './link-gate';

/** What a drawn answer may ask of its environment; everything is passed in by the chat view. */
export interface RenderContext {
  /** Returns the vault path that a link text resolves to, or null. */
  resolveLink(linkText: string): string | null;
  /** @param quoted the text that the link says the source of; empty for none */
  openNote(linkText: string, newTab: boolean, quoted?: string): void;
  /** Called only with an address that the gate allowed, after any confirmation. */
  openExternal(url: string): void;
  /** Asks the reader; without it, an address that needs a confirmation is not opened. */
  confirmLink?(decision: ConfirmDecision): Promise<boolean>;
  /** Shows the actions for an external link, on its context menu. */
  showLinkMenu?(decision: LinkDecision, event: MouseEvent): void;
  /** Shows an icon of the app in an element. */
  showIcon?(element: HTMLElement, icon: string): void;
  /** Math, diagrams, and colors of code; without it, all of them are shown as their source. */
  readonly libraries?: Libraries;
  /** Opens the search with a query; without it, tags are plain text. */
  openSearch?(query: string): void;
  /** Called when the pointer is over a link to a note; never while tainted. */
  previewNote?(linkText: string, target: HTMLElement, event: MouseEvent): void;
  /** Returns Obsidian's resource URL of an image in the vault, by vault path. */
  resolveImage?(path: string): string | null;
  /** Returns the bytes of a file in the vault; null if it is missing. */
  sizeOf?(path: string): number | null;
  /** Returns the text of a note, or of the part that a link text names; null if it cannot be read. */
  readNote?(path: string, linkText: string): Promise<string | null>;
  /** Paths of the notes that this text is embedded in; absent outside of embeds. */
  readonly embeddedIn?: readonly string[];
  /** Whether the chat has read untrusted text; read again whenever a link is used. */
  readonly tainted?: boolean;
  /** Addresses in the reader's own text, as `findUrls` returns them; absent if there are none. */
  readonly knownUrls?: ReadonlySet<string>;
}

/** What the app draws notes with. All of it is loaded when it is first needed, and none of it is trusted. */
export interface Libraries {
  /** Resolves to the drawn formula, freed of all that is not allowed, or to null if it cannot be drawn. */
  math(source: string, display: boolean): Promise<HTMLElement | null>;
  /** Resolves to the parts of a code in its language; null for an unknown language. */
  colors(code: string, language: string): Promise<readonly CodePart[] | null>;
  /** Resolves to SVG as the library writes it, which may hold anything; null if it cannot be drawn. */
  diagram(source: string, isDark: boolean): Promise<string | null>;
}

/** A piece of code, with the names of what it is. */
export interface CodePart {
  readonly text: string;
  readonly names: readonly string[];
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
  /** Drawing that waits until the block is finished. */
  readonly afterwards: (() => void)[];
  /** Texts of notes at the foot of the block. */
  readonly footnotes: string[];
  /** Draws a text of its own, such as an embedded note. */
  readonly drawInside: (target: HTMLElement, markdown: string, context: RenderContext) => void;
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
  'sup',
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
  'aria-expanded',
  'aria-hidden',
  'aria-label',
  'checked',
  'class',
  'data-callout',
  'data-callout-fold',
  'data-callout-metadata',
  'data-footnote',
  'data-href',
  'data-task',
  'dir',
  'disabled',
  'height',
  'role',
  'src',
  'start',
  'tabindex',
  'title',
  'type',
  'width',
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

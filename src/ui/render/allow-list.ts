/** The only elements and attributes that text from models and tools may become, and the one function that makes them. */

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

/** No `href` is among them: a link has no destination of its own, so nothing but the link gate can follow it. */
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

/** Appends an element in the parent's own document; anything off the list does not compile. */
export function appendElement<Tag extends AllowedElement>(
  parent: Node,
  tag: Tag,
  attributes: Partial<Record<AllowedAttribute, string>> = {},
): HTMLElementTagNameMap[Tag] {
  return parent.createEl(tag, { attr: attributes });
}

/** Appends text, joined to the text before it. */
export function appendCharacters(parent: Node, text: string): void {
  if (text === '') return;
  const last = parent.lastChild;
  if (last?.nodeType === 3) last.textContent = `${last.textContent ?? ''}${text}`;
  else parent.appendText(text);
}

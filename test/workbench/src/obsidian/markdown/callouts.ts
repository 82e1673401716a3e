/** Turns block quotes that open with `[!type]` into callouts. */
import { setIcon } from '../controls/icons';

const ICONS: Record<string, string> = {
  note: 'pencil',
  abstract: 'clipboard-list',
  info: 'info',
  todo: 'check-circle-2',
  tip: 'flame',
  success: 'check',
  question: 'help-circle',
  warning: 'alert-triangle',
  failure: 'x',
  danger: 'zap',
  bug: 'bug',
  example: 'list',
  quote: 'quote',
};
const ALIASES: Record<string, string> = {
  summary: 'abstract',
  tldr: 'abstract',
  hint: 'tip',
  important: 'tip',
  check: 'success',
  done: 'success',
  help: 'question',
  faq: 'question',
  caution: 'warning',
  attention: 'warning',
  fail: 'failure',
  missing: 'failure',
  error: 'danger',
  cite: 'quote',
};

export function renderCallouts(root: HTMLElement): void {
  // Innermost first, so that a nested callout is whole before its parent moves it.
  for (const quote of Array.from(root.querySelectorAll('blockquote')).reverse()) renderCallout(quote as HTMLElement);
}

function renderCallout(quote: HTMLElement): void {
  const head = quote.querySelector<HTMLElement>(':scope > p');
  const text = head?.firstChild;
  if (!head || text?.nodeType !== 3) return;
  const match = /^\s*\[!([^\]|]+)(?:\|([^\]]*))?\]([+-]?)[ \t]?/.exec(text.textContent ?? '');
  if (!match) return;
  text.textContent = (text.textContent ?? '').slice(match[0].length);
  const type = (match[1] ?? '').trim().toLowerCase();
  const fold = match[3] ?? '';
  const callout = quote.doc.createElement('div');
  callout.className = 'callout';
  callout.setAttrs({ 'data-callout': type, 'data-callout-metadata': match[2] ?? '', 'data-callout-fold': fold });
  const title = callout.createDiv({ cls: 'callout-title', attr: { dir: 'auto' } });
  setIcon(title.createDiv('callout-icon'), ICONS[ALIASES[type] ?? type] ?? 'pencil');
  const inner = title.createDiv('callout-title-inner');
  moveTitle(head, inner);
  if (!inner.textContent?.trim()) inner.setText(type.charAt(0).toUpperCase() + type.slice(1));
  if (!head.textContent?.trim() && head.children.length === 0) head.remove();
  const content = quote.doc.createElement('div');
  content.className = 'callout-content';
  while (quote.firstChild) content.appendChild(quote.firstChild);
  if (content.textContent?.trim() || content.children.length > 0) callout.appendChild(content);
  quote.replaceWith(callout);
  if (fold) makeFoldable(callout, title, content, fold === '-');
}

/** Moves the title, which is the first line: everything before the first line break. */
function moveTitle(head: HTMLElement, title: HTMLElement): void {
  while (head.firstChild) {
    const node = head.firstChild;
    if (node.nodeName === 'BR') {
      node.remove();
      if (head.firstChild?.nodeType === 3)
        head.firstChild.textContent = (head.firstChild.textContent ?? '').replace(/^\n/, '');
      return;
    }
    title.appendChild(node);
  }
}

function makeFoldable(callout: HTMLElement, title: HTMLElement, content: HTMLElement, collapsed: boolean): void {
  callout.addClass('is-collapsible');
  const arrow = title.createDiv('callout-fold');
  setIcon(arrow, 'chevron-down');
  const apply = (closed: boolean): void => {
    callout.toggleClass('is-collapsed', closed);
    arrow.toggleClass('is-collapsed', closed);
    content.toggle(!closed);
  };
  apply(collapsed);
  title.addEventListener('click', () => apply(!callout.hasClass('is-collapsed')));
}

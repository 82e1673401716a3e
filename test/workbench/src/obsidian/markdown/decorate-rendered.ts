/** Gives freshly rendered Markdown its links, tasks and code buttons. */
import type { App } from '../app/app';
import { setIcon } from '../controls/icons';

export function decorateRendered(app: App, root: HTMLElement, sourcePath: string): void {
  for (const el of Array.from(root.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6, th, td, blockquote, ul, ol'))) {
    el.setAttribute('dir', 'auto');
  }
  for (const heading of Array.from(root.querySelectorAll('h1, h2, h3, h4, h5, h6'))) {
    heading.setAttribute('data-heading', heading.textContent ?? '');
  }
  decorateLinks(root);
  markUnresolved(app, root, sourcePath);
  decorateTasks(root);
  for (const code of Array.from(root.querySelectorAll<HTMLElement>('pre > code'))) decorateCode(code);
}

function decodeTarget(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function decorateLinks(root: HTMLElement): void {
  for (const a of Array.from(root.querySelectorAll<HTMLElement>('a[href]'))) {
    if (a.hasClass('internal-link') || a.hasClass('tag') || a.hasClass('footnote-link')) continue;
    const href = a.getAttribute('href') ?? '';
    a.setAttrs({ target: '_blank', rel: 'noopener nofollow' });
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) {
      a.addClass('external-link');
      if (!a.getAttribute('aria-label') && a.textContent !== href)
        a.setAttrs({ 'aria-label': href, 'data-tooltip-position': 'top' });
    } else {
      a.addClass('internal-link');
      a.setAttr('data-href', decodeTarget(href));
    }
  }
}

export function markUnresolved(app: App, root: HTMLElement, sourcePath: string): void {
  for (const a of Array.from(root.querySelectorAll<HTMLElement>('a.internal-link'))) {
    const path = (a.getAttribute('data-href') ?? '').split('#')[0] ?? '';
    const found = path === '' || app.metadataCache.getFirstLinkpathDest(path, sourcePath) !== null;
    a.toggleClass('is-unresolved', !found);
  }
}

function decorateTasks(root: HTMLElement): void {
  for (const item of Array.from(root.querySelectorAll<HTMLElement>('li'))) {
    const start =
      item.firstElementChild?.tagName === 'P' && !item.firstChild?.textContent?.trim() ? item.firstElementChild : item;
    const text = start.firstChild;
    if (text?.nodeType !== 3) continue;
    const match = /^\s*\[(.)\]\s/.exec(text.textContent ?? '');
    if (!match) continue;
    const mark = match[1] ?? ' ';
    text.textContent = (text.textContent ?? '').slice(match[0].length);
    item.addClass('task-list-item');
    item.setAttr('data-task', mark === ' ' ? '' : mark);
    item.parentElement?.addClass('contains-task-list', 'has-list-bullet');
    const box = item.doc.createElement('input');
    box.type = 'checkbox';
    box.className = 'task-list-item-checkbox';
    box.checked = mark !== ' ';
    if (mark !== ' ') {
      box.setAttr('checked', '');
      item.addClass('is-checked');
    }
    start.prepend(box);
  }
}

function decorateCode(code: HTMLElement): void {
  const pre = code.parentElement as HTMLElement;
  const language = /language-(\S+)/.exec(code.className)?.[1];
  if (language) pre.addClass(`language-${language}`);
  pre.setAttr('tabindex', '0');
  code.addClass('is-loaded');
  const button = pre.createEl('button', { cls: 'copy-code-button', attr: { 'aria-label': 'Copy' } });
  setIcon(button, 'copy');
  button.addEventListener('click', () => {
    void (button.win.navigator.clipboard as Clipboard | undefined)?.writeText(code.textContent ?? '');
    setIcon(button, 'check');
  });
}

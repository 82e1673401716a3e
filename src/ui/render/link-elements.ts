/** The two kinds of link: to notes of the vault that exist, and to addresses that the gate lets through. */
import { words } from '../../text';
import { appendElement } from './allow-list';
import type { Drawing, WriteLabel } from './drawing';
import { attachLinkEvents } from './link-events';
import { judgeLink } from './link-gate';
import type { LinkDecision } from './link-gate';

/** The words of a link with its address checked now, and checked again by the same gate when it is used. */
export function writeExternalLink(
  parent: HTMLElement,
  destination: string,
  writeLabel: WriteLabel,
  { context }: Drawing,
): void {
  const judge = (visibleText: string): LinkDecision =>
    judgeLink(destination, { visibleText, tainted: context.tainted, knownUrls: context.knownUrls });
  const first = judge('');
  if (first.verdict === 'refuse') {
    const title = `${words.render.refused[first.reason]}\n${first.shown}`;
    return writeLabel(appendElement(parent, 'span', { class: 'docent-link-inert', title }));
  }
  const anchor = appendElement(parent, 'a', {
    class: 'external-link docent-link',
    role: 'link',
    tabindex: '0',
    title: first.shown,
  });
  writeLabel(anchor);
  const decide = (): LinkDecision => judge(anchor.textContent);
  attachLinkEvents(anchor, {
    open: () => void openThroughGate(decide(), context),
    menu: (event) => context.showLinkMenu?.(decide(), event),
  });
}

async function openThroughGate(decision: LinkDecision, context: Drawing['context']): Promise<void> {
  if (decision.verdict === 'refuse') return;
  if (decision.verdict === 'confirm' && !(await context.confirmLink?.(decision))) return;
  context.openExternal(decision.url);
}

export function writeNoteLink(
  parent: HTMLElement,
  linkText: string,
  writeLabel: WriteLabel,
  { context }: Drawing,
): void {
  const path = context.resolveLink(linkText);
  if (path === null) {
    const title = words.render.noteMissing(linkText);
    return writeLabel(appendElement(parent, 'span', { class: 'docent-link-inert is-unresolved', title }));
  }
  const anchor = appendElement(parent, 'a', {
    class: 'internal-link docent-link',
    role: 'link',
    tabindex: '0',
    title: path,
    'data-href': linkText,
  });
  writeLabel(anchor);
  attachLinkEvents(anchor, {
    open: (newTab) => context.openNote(linkText, newTab),
    hover: (event) => {
      if (!context.tainted) context.previewNote?.(linkText, anchor, event);
    },
  });
}

/** A Markdown destination as a link text: percent-decoded where that is valid. */
export function decodePath(destination: string): string {
  try {
    return decodeURIComponent(destination);
  } catch {
    return destination;
  }
}

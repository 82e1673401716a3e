/**
 * Links in drawn answers: to existing notes and to addresses that the gate allows, all activated through one function.
 */
import { words } from '../../text';
import { appendCharacters, appendElement, type Drawing, type WriteLabel } from './drawing';
import { judgeLink, type LinkDecision } from './link-gate';

/** Writes a link whose address is checked now, and again by the same gate when it is used. */
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
    open: (newTab) => context.openNote(linkText, newTab, quotedAbove(anchor)),
    hover: (event) => {
      if (!context.tainted) context.previewNote?.(linkText, anchor, event);
    },
  });
}

/** Returns the quote right above a citation; empty for any other link. */
function quotedAbove(anchor: HTMLElement): string {
  let above = anchor.closest('.docent-citation')?.previousElementSibling;
  while (above?.classList.contains('docent-citation')) above = above.previousElementSibling;
  if (above?.localName !== 'blockquote') return '';
  const quote = above.cloneNode(true) as Element;
  // Above code are buttons, whose words are not in the note.
  for (const added of Array.from(quote.querySelectorAll('button, .docent-source-note'))) added.remove();
  return quote.textContent;
}

/** Writes a tag that opens the search for it. */
export function writeTag(parent: HTMLElement, tag: string, { context }: Drawing): void {
  const anchor = appendElement(parent, 'a', {
    class: 'tag docent-link',
    role: 'link',
    tabindex: '0',
    title: words.render.searchTag(tag),
  });
  appendCharacters(anchor, tag);
  attachLinkEvents(anchor, { open: () => context.openSearch?.(`tag:${tag}`) });
}

/** Converts a Markdown destination to a link text: percent-decoded where that is valid. */
export function decodePath(destination: string): string {
  try {
    return decodeURIComponent(destination);
  } catch {
    return destination;
  }
}

interface LinkActions {
  open: (newTab: boolean) => void;
  /** Absent for a link whose context menu is empty. */
  menu?: (event: MouseEvent) => void;
  hover?: (event: MouseEvent) => void;
}

/** Handles every way to use a link: without an `href`, the browser itself has nothing to follow. */
export function attachLinkEvents(anchor: HTMLElement, actions: LinkActions): void {
  const take = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  anchor.addEventListener('click', (event) => {
    take(event);
    actions.open(event.ctrlKey || event.metaKey);
  });
  anchor.addEventListener('auxclick', (event) => {
    take(event);
    if (event.button === 1) actions.open(true);
  });
  anchor.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    take(event);
    actions.open(event.ctrlKey || event.metaKey);
  });
  anchor.addEventListener('contextmenu', (event) => {
    take(event);
    actions.menu?.(event);
  });
  anchor.addEventListener('dragstart', take);
  const { hover } = actions;
  if (hover) anchor.addEventListener('mouseover', hover);
}

/** Keyboard focus inside a dialog: what can take it, keeping Tab inside, and giving it back afterwards. */

const candidates = 'a[href], button, input, select, textarea, [tabindex], [contenteditable="true"]';

function isHidden(el: HTMLElement, root: HTMLElement): boolean {
  for (let node: HTMLElement | null = el; node && node !== root; node = node.parentElement) {
    if (el.win.getComputedStyle(node).display === 'none') return true;
  }
  return false;
}

function canTakeFocus(el: HTMLElement, root: HTMLElement): boolean {
  return el.tabIndex >= 0 && !(el as HTMLButtonElement).disabled && !isHidden(el, root);
}

function findTabbable(root: HTMLElement): HTMLElement[] {
  return Array.from(root.querySelectorAll<HTMLElement>(candidates)).filter((el) => canTakeFocus(el, root));
}

/** Asks no element after the first for its style, which takes long. */
export function findFirstTabbable(root: HTMLElement): HTMLElement | undefined {
  return Array.from(root.querySelectorAll<HTMLElement>(candidates)).find((el) => canTakeFocus(el, root));
}

function isTopmost(root: HTMLElement): boolean {
  const containers = root.doc.querySelectorAll('.modal-container');
  return containers[containers.length - 1]?.contains(root) ?? false;
}

/**
 * Keeps Tab and Shift+Tab inside a dialog that is in the document, until the answer is called.
 * It hears the key on the window, after the keymap: a dialog's own Tab hotkey goes first.
 */
export function trapTab(root: HTMLElement): () => void {
  const win = root.win;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab' || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!isTopmost(root)) return;
    const tabbable = findTabbable(root);
    const first = tabbable[0];
    const last = tabbable[tabbable.length - 1];
    const active = root.doc.activeElement;
    const outside = !active || !root.contains(active) || active === root;
    if (first && last && !outside && active !== (event.shiftKey ? first : last)) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  };
  win.addEventListener('keydown', onKeyDown);
  return () => win.removeEventListener('keydown', onKeyDown);
}

/** Remembers the focused element and the text selection of a window; the answer puts both back. */
export function rememberFocus(doc: Document): () => void {
  const active = doc.activeElement as HTMLElement | null;
  const selection = doc.getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : null;
  return () => {
    if (!active?.isConnected || active === doc.body) return;
    active.focus({ preventScroll: true });
    if (!range || !active.isContentEditable || !active.contains(range.commonAncestorContainer)) return;
    const current = doc.getSelection();
    current?.removeAllRanges();
    current?.addRange(range);
  };
}

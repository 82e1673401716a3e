/**
 * Small controls: modals drawn by components, icons and their buttons, growing boxes, the focus, the delay before an
 * approval, and the clipboard.
 */
import { type App, Modal, Notice, Platform, setIcon } from 'obsidian';
import { type ComponentChild, h, type HTMLAttributes, type RefObject, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import { approvalDelay } from '../state/review-state';

/**
 * DocentModal: a modal with the styles that all of Docent's share, with a class for its own, in which the focus stays
 * while it is open.
 */
export abstract class DocentModal extends Modal {
  private releaseFocus: (() => void) | null = null;

  constructor(app: App, styleClass: string, title: string) {
    super(app);
    this.modalEl.addClass('docent-modal', styleClass);
    this.setTitle(title);
  }

  override onOpen(): void {
    this.releaseFocus = restoreLostFocus(this.contentEl);
  }

  override onClose(): void {
    this.releaseFocus?.();
  }
}

interface ModalContent {
  readonly styleClass: string;
  readonly title: string;
  readonly draw: (close: () => void) => ComponentChild;
  /** Called when it closes, however that comes. */
  readonly onClose?: () => void;
}

/** DrawnModal: a modal whose content is a component, which is removed when it closes. */
export class DrawnModal extends DocentModal {
  constructor(
    app: App,
    private readonly content: ModalContent,
  ) {
    super(app, content.styleClass, content.title);
  }

  override onOpen(): void {
    super.onOpen();
    render(
      this.content.draw(() => this.close()),
      this.contentEl,
    );
  }

  override onClose(): void {
    super.onClose();
    render(null, this.contentEl);
    this.content.onClose?.();
  }
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly class?: string;
  readonly disabled?: boolean;
}

/** IconButton: a button that shows one of Obsidian's icons, with its label for screen readers. */
export function IconButton({ icon, label, onClick, class: name = '', disabled = false }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`clickable-icon docent-icon-button ${name}`}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      ref={drawIcon(icon)}
    />
  );
}

/**
 * Returns a handler that takes the second press of a double-click for none: the first one was meant for the button that
 * was there before.
 */
export function firstPress(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail !== 2) act();
  };
}

let names = 0;

/** Returns an id for a `Name`, which no other element has in any window. */
export function useNameId(): string {
  const [id] = useState(() => `docent-name-${(names += 1)}`);
  return id;
}

/**
 * Name: what a screen reader calls an element that is labelled by it. Obsidian shows the `aria-label` of an element as a
 * tooltip wherever the pointer is in it, so that only controls have one of their own.
 */
export function Name({ id, text }: { readonly id: string; readonly text: string }) {
  return <span id={id} hidden aria-label={text} />;
}

/** Returns what a screen reader calls an element by its label or by a `Name`; empty for one that has neither. */
export function nameOf(element: HTMLElement): string {
  const name = element.doc.getElementById(element.getAttribute('aria-labelledby') ?? '');
  return element.getAttribute('aria-label') ?? name?.ariaLabel ?? '';
}

interface NamedProps extends HTMLAttributes<HTMLElement> {
  readonly name: string;
  readonly tag?: 'div' | 'section' | 'span' | 'ul' | 'dl';
  /** Gets the element. */
  readonly own?: RefObject<HTMLElement | null>;
  readonly [attribute: `data-${string}`]: string | undefined;
}

/** Named: a part of a view with a name for screen readers. */
export function Named({ name, tag = 'div', own, children, ...attributes }: NamedProps) {
  const id = useNameId();
  return h(tag, { ...attributes, 'aria-labelledby': id, ref: own }, <Name id={id} text={name} />, children);
}

/** The heads of a table's columns. */
export function ColumnHeads({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface IconProps {
  readonly icon: string;
  readonly class?: string;
}

export function Icon({ icon, class: name = '' }: IconProps) {
  return <span class={`docent-icon ${name}`} aria-hidden="true" ref={drawIcon(icon)} />;
}

const drawings = new Map<string, (element: HTMLElement | null) => void>();

/** Returns the same function for the same icon, so that Preact draws an icon once and not at every render. */
function drawIcon(icon: string): (element: HTMLElement | null) => void {
  const known = drawings.get(icon);
  if (known !== undefined) return known;
  const draw = (element: HTMLElement | null): void => {
    if (element !== null) setIcon(element, icon);
  };
  drawings.set(icon, draw);
  return draw;
}

/** Focuses a box as it appears. Defined once, so that Preact calls it only then. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}

/** What says that a key belongs to an input method. The code is deprecated, and nothing else says it in Safari. */
interface TypingKey extends Pick<KeyboardEvent, 'key' | 'isComposing'> {
  readonly keyCode: number;
}

/** What browsers give as the code of a key that an input method has used. */
const usedKeyCode = 229;

/**
 * Whether an input method, as for Japanese, uses this key to spell characters: Enter and Escape end the spelling then.
 * Some browsers report that by the key alone, and Safari, also on phones, by the code alone, since it has ended by then.
 */
export function isOfInputMethod({ key, isComposing, keyCode }: TypingKey): boolean {
  return isComposing || key === 'Process' || keyCode === usedKeyCode;
}

/** Whether Enter begins a new line in place of sending: a phone has no Shift+Enter, so the user chooses there. */
export function breaksLinesByReturn({ phoneNewLine }: Pick<Settings, 'phoneNewLine'>): boolean {
  return Platform.isPhone && phoneNewLine;
}

/** Returns a handler that leaves a box at Escape, unless the key ends the spelling of a character. */
export function leaveAtEscape(leave: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === 'Escape' && !isOfInputMethod(event)) leave();
  };
}

/** Characters of a line from which its box has one direction for all lines. */
const longLine = 5_000;

/** Grows a text box with its text; the style sheet limits its height. */
export function fitHeight(element: HTMLTextAreaElement | null): void {
  if (element === null) return;
  // Where each line has a direction of its own, the browser lays out a line in full at each key that changes it.
  element.toggleClass('has-long-line', hasLongLine(element.value));
  // A text that is higher than its box shows its height as it is; a smaller box would have it laid out once more.
  if (element.scrollHeight <= element.clientHeight) element.setCssProps({ '--docent-text-height': 'auto' });
  const borders = element.offsetHeight - element.clientHeight;
  element.setCssProps({ '--docent-text-height': `${element.scrollHeight + borders}px` });
}

/** Sets how much room what opens over a box has up to the top of the chat, above which nothing can be scrolled to. */
export function fitPopups(box: HTMLElement | null): void {
  const chat = box?.closest('.docent-pane') ?? null;
  if (box === null || chat === null) return;
  const room = box.getBoundingClientRect().top - chat.getBoundingClientRect().top + chat.scrollTop;
  box.setCssProps({ '--docent-popup-room': `${Math.floor(room)}px` });
}

function hasLongLine(text: string): boolean {
  let start = 0;
  while (text.length - start > longLine) {
    const end = text.lastIndexOf('\n', start + longLine);
    if (end < start) return true;
    start = end + 1;
  }
  return false;
}

/**
 * useSettled: whether a request for approval has been on the screen long enough to be answered (rules 6.2).
 * @param element is in the window whose timer is used
 * @param key changes with what is asked; null when nothing is asked
 */
export function useSettled(element: RefObject<HTMLElement | null>, key: string | null): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    setSettled(null);
    const window = element.current?.win;
    if (key === null || window === undefined) return;
    const timer = window.setTimeout(() => setSettled(key), approvalDelay);
    return () => window.clearTimeout(timer);
  }, [key]);
  return key !== null && settled === key;
}

/** What a control belongs to, in which the focus stays when the control is removed. */
const focusGroups = '.docent-item, .docent-goal, .docent-chats';
const focusStops = 'button:enabled, select:enabled, input:enabled, textarea:enabled, [tabindex="0"]';

/**
 * Moves the focus on when what has it is removed or disabled: to a control next to it, or else to `fallback`, which is
 * the first control if absent. Without that, the document would have the focus, and the next key would begin at the top
 * of the window.
 * @param fallback where the focus goes from outside of a group; if absent, all of `root` is a group
 */
export function restoreLostFocus(root: HTMLElement, fallback?: () => HTMLElement | null): () => void {
  let last: HTMLElement | null = null;
  let lastName = '';
  let around: readonly HTMLElement[] = [];
  /** What precedes each of them. */
  const before = new Map<HTMLElement, Element | null>();
  const isLost = (element: HTMLElement): boolean => !element.isConnected || element.matches(':disabled');
  const restore = (): void => {
    if (last === null || !isLost(last)) return;
    const lost = last;
    last = null;
    const { activeElement, body } = root.doc;
    if (activeElement !== body && activeElement !== lost) return;
    const group =
      around.find((element) => element.isConnected && element.matches(focusGroups)) ??
      (fallback === undefined ? root : undefined);
    const same = Array.from(group?.querySelectorAll<HTMLElement>(focusStops) ?? []).find(
      (stop) => lastName !== '' && nameOf(stop) === lastName,
    );
    const near = around.flatMap((element) => {
      const previous = before.get(element);
      // Where a row was, the next one is by now, or what is drawn in its place.
      const place = element.isConnected ? element : previous?.isConnected && (previous.nextElementSibling ?? previous);
      return (place && group?.contains(place) && place.querySelector<HTMLElement>(focusStops)) || [];
    });
    const first = (): HTMLElement | null => root.querySelector<HTMLElement>(focusStops);
    const next = same ?? near[0] ?? (fallback ?? first)();
    // Where nothing can have the focus for now, the next control that is drawn gets it.
    if (next === null) last = lost;
    else next.focus({ preventScroll: true });
  };
  const onFocusIn = ({ target }: FocusEvent): void => {
    const focused = target as HTMLElement;
    const ancestors: HTMLElement[] = [];
    before.clear();
    for (let at = focused.parentElement; at !== null && at !== root; at = at.parentElement) {
      ancestors.push(at);
      before.set(at, at.previousElementSibling);
    }
    last = focused;
    lastName = nameOf(focused);
    around = ancestors;
  };
  const onFocusOut = ({ target }: FocusEvent): void => {
    // The browser reports the loss while the element is being removed.
    queueMicrotask(() => {
      if (last === null || last !== target) return;
      if (isLost(last)) restore();
      else last = null;
    });
  };
  const observer = new MutationObserver(restore);
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  root.addEventListener('focusin', onFocusIn);
  root.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', onFocusIn);
    root.removeEventListener('focusout', onFocusOut);
  };
}

/** Returns an act that does nothing while it is under way: its button or key is in reach until that is drawn. */
export function useOneAtATime<Given extends readonly unknown[]>(
  act: (...given: Given) => Promise<unknown>,
): (...given: Given) => void {
  const isUnderWay = useRef(false);
  return (...given) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void act(...given).finally(() => (isUnderWay.current = false));
  };
}

/**
 * Copies a text. A notice says so, unless what was pressed does; and also if the system denies it, since the clipboard
 * holds another text then.
 */
export async function copyText(text: string, { navigator }: Window, isSaid = true): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    if (isSaid) new Notice(words.chatView.copied);
    return true;
  } catch {
    new Notice(words.render.copyFailed);
    return false;
  }
}

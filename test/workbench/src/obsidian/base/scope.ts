/** Hotkey scopes and the stack that decides which of them hears a key. */
import type {
  KeymapContext,
  KeymapEventHandler,
  KeymapEventListener,
  KeymapInfo,
  Modifier,
  PaneType,
  UserEvent,
} from 'obsidian';
import { Platform } from './platform';

interface BoundKey extends KeymapInfo {
  scope: any;
  listener: KeymapEventListener;
}

const toRealModifier = (modifier: Modifier): string =>
  modifier === 'Mod' ? (Platform.isMacOS ? 'Meta' : 'Ctrl') : modifier;

const pressedModifiers = (event: KeyboardEvent): string =>
  [event.altKey && 'Alt', event.ctrlKey && 'Ctrl', event.metaKey && 'Meta', event.shiftKey && 'Shift']
    .filter(Boolean)
    .join(',');

export class Scope {
  private keys: BoundKey[] = [];

  constructor(readonly parent?: Scope) {}

  register(modifiers: Modifier[] | null, key: string | null, func: KeymapEventListener): KeymapEventHandler {
    const wanted = modifiers === null ? null : modifiers.map(toRealModifier).sort().join(',');
    const handler: BoundKey = { scope: this, modifiers: wanted, key, listener: func };
    this.keys.push(handler);
    return handler;
  }

  unregister(handler: KeymapEventHandler): void {
    this.keys = this.keys.filter((key) => key !== (handler as unknown as BoundKey));
  }

  /** The first matching handler decides; its `false` means handled, anything else lets the browser go on. */
  handle(event: KeyboardEvent): unknown {
    const modifiers = pressedModifiers(event);
    const context: KeymapContext = { vkey: event.key, modifiers, key: event.key };
    const match = this.keys.find(
      ({ modifiers: wanted, key }) =>
        (wanted === null || wanted === modifiers) && (key === null || key.toLowerCase() === event.key.toLowerCase()),
    );
    if (match) return match.listener(event, context);
    return this.parent?.handle(event);
  }
}

/** Binds Escape to closing; while text is being composed, the key belongs to the composition. */
export function closeOnEscape(scope: Scope, close: () => void): void {
  scope.register([], 'Escape', (event) => {
    if (event.isComposing) return;
    close();
    return false;
  });
}

export class Keymap {
  private stack: Scope[] = [];
  /** The scope of the active view, which hears keys when nothing is pushed above it. */
  findViewScope: () => Scope | null = () => null;

  constructor(readonly root: Scope = new Scope()) {}

  /** Hears the keys of one window (the main one or a popout), before any field or editor does; the result stops it. */
  listen(target: Window): () => void {
    const onKeyDown = (event: KeyboardEvent): void => this.handle(event);
    target.addEventListener('keydown', onKeyDown, true);
    return () => target.removeEventListener('keydown', onKeyDown, true);
  }

  get active(): Scope {
    return this.stack[this.stack.length - 1] ?? this.findViewScope() ?? this.root;
  }

  handle(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    if (this.active.handle(event) === false) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  pushScope(scope: Scope): void {
    this.popScope(scope);
    this.stack.push(scope);
  }

  popScope(scope: Scope): void {
    this.stack = this.stack.filter((other) => other !== scope);
  }

  static isModifier(evt: MouseEvent | TouchEvent | KeyboardEvent, modifier: Modifier): boolean {
    const real = toRealModifier(modifier);
    if (real === 'Ctrl') return evt.ctrlKey;
    if (real === 'Meta') return evt.metaKey;
    return real === 'Alt' ? evt.altKey : evt.shiftKey;
  }

  static isModEvent(evt?: UserEvent | null): PaneType | boolean {
    if (!evt) return false;
    if ('button' in evt && evt.button === 1) return 'tab';
    if (!Keymap.isModifier(evt, 'Mod')) return false;
    if (!evt.altKey) return 'tab';
    return evt.shiftKey ? 'window' : 'split';
  }
}

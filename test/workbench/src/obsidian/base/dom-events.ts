/** Delegated listeners, insertion and migration hooks, and the cross-window members of events. */
import type { RealmWindow } from './dom';
import { defineMembers } from './language-helpers';

type Delegated = (this: any, event: any, target: HTMLElement) => unknown;
type Options = boolean | AddEventListenerOptions;

const migrationListeners = new WeakMap<Node, Set<(win: Window) => unknown>>();

/** Notifies the listeners of `onWindowMigrated` below `root` that they are now in `win`. */
export function notifyWindowMigrated(root: Node, win: Window): void {
  for (const listener of migrationListeners.get(root) ?? []) listener(win);
  for (const child of Array.from(root.childNodes)) notifyWindowMigrated(child, win);
}

export function installEventHelpers(realm: RealmWindow): void {
  for (const prototype of [realm.HTMLElement.prototype, realm.Document.prototype] as HTMLElement[]) {
    defineMembers(prototype, { on: listen, off: unlisten } as unknown as Partial<HTMLElement>);
  }
  defineMembers(realm.HTMLElement.prototype, {
    onClickEvent(listener: (event: MouseEvent) => unknown, options?: Options) {
      this.addEventListener('click', listener, options);
      this.addEventListener('auxclick', listener, options);
    },
    onNodeInserted(listener: () => unknown, once = false) {
      let present = this.isConnected;
      const observer = new (this.win as RealmWindow).MutationObserver(() => {
        if (this.isConnected === present) return;
        present = this.isConnected;
        if (!present) return;
        if (once) observer.disconnect();
        listener();
      });
      observer.observe(this.doc, { childList: true, subtree: true });
      return () => observer.disconnect();
    },
    onWindowMigrated(listener: (win: Window) => unknown) {
      const listeners = migrationListeners.get(this) ?? new Set();
      migrationListeners.set(this, listeners.add(listener));
      return () => void listeners.delete(listener);
    },
    trigger(eventType: string) {
      this.dispatchEvent(new (this.win as RealmWindow).Event(eventType, { bubbles: true, cancelable: true }));
    },
  } as Partial<HTMLElement> & ThisType<HTMLElement>);

  const getters: Record<string, (this: UIEvent) => unknown> = {
    targetNode() {
      const target = this.target as Node | null;
      return target && 'nodeType' in target ? target : null;
    },
    win() {
      return this.view ?? (this.target as { win?: Window } | null)?.win ?? realm;
    },
    doc() {
      return (this as unknown as { win: Window }).win.document;
    },
  };
  for (const [name, get] of Object.entries(getters)) {
    Object.defineProperty(realm.UIEvent.prototype, name, { get, configurable: true });
  }
  defineMembers(realm.UIEvent.prototype, {
    instanceOf(type: { new (...data: any[]): any }) {
      const own = (this as unknown as { win: Record<string, unknown> }).win[type.name];
      return this instanceof type || (typeof own === 'function' && this instanceof own);
    },
  } as unknown as Partial<UIEvent>);
}

function listen(this: HTMLElement, type: string, selector: string, listener: Delegated, options?: Options): void {
  const events = ((this as any)._EVENTS ??= {}) as Record<string, EventListenerInfo[]>;
  const callback = (event: Event): void => {
    const start = event.target as Node | null;
    const element = start?.nodeType === 1 ? (start as Element) : start?.parentElement;
    const target = element?.closest(selector);
    if (target && (this as Node).contains(target)) listener.call(this, event, target as HTMLElement);
  };
  (events[type] ??= []).push({ selector, listener, options, callback });
  this.addEventListener(type, callback, options);
}

function unlisten(this: HTMLElement, type: string, selector: string, listener: Delegated, options?: Options): void {
  const events = ((this as any)._EVENTS ?? {}) as Record<string, EventListenerInfo[]>;
  events[type] = (events[type] ?? []).filter((info) => {
    if (info.selector !== selector || info.listener !== listener) return true;
    this.removeEventListener(type, info.callback as EventListener, options);
    return false;
  });
}

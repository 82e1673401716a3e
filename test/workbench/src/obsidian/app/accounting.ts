/** Counts what is still alive in a window, so that a test can see what a plugin left behind. */
import { Events } from '../base/events';

export interface Accounting {
  /** Listeners on window and document, and callbacks on Events. */
  listeners(): number;
  /** Pending timeouts, intervals and animation frames. */
  timers(): number;
  workers(): number;
  /** Elements in the document. */
  nodes(): number;
}

interface Ledger {
  timers: Set<unknown>;
  workers: Set<unknown>;
  domListeners: Map<EventTarget, Set<string>>;
  refs: Set<unknown>;
}

const ledgers = new WeakMap<Window, Ledger>();
const listenerIds = new WeakMap<object, number>();
let nextListener = 0;
let eventsWatched = false;
const eventRefs = new Set<unknown>();

function countTimers(win: Window, ledger: Ledger): void {
  const target = win as unknown as Record<string, (...data: never[]) => unknown>;
  const once = (start: string, stop: string, repeats: boolean): void => {
    const begin = target[start]?.bind(win) as
      | ((callback: (...data: unknown[]) => unknown, ...rest: unknown[]) => unknown)
      | undefined;
    const end = target[stop]?.bind(win) as ((id: unknown) => void) | undefined;
    if (!begin || !end) return;
    target[start] = (callback: unknown, ...rest: unknown[]) => {
      if (typeof callback !== 'function') return begin(callback as () => unknown, ...rest);
      const id: unknown = begin(
        (...data: unknown[]) => {
          if (!repeats) ledger.timers.delete(id);
          return (callback as (...given: unknown[]) => unknown)(...data);
        },
        ...rest,
      );
      ledger.timers.add(id);
      return id;
    };
    target[stop] = (id: unknown) => {
      ledger.timers.delete(id);
      end(id);
    };
  };
  once('setTimeout', 'clearTimeout', false);
  once('setInterval', 'clearInterval', true);
  once('requestAnimationFrame', 'cancelAnimationFrame', false);
}

function countWorkers(win: Window, ledger: Ledger): void {
  const realm = win as unknown as { Worker?: typeof Worker };
  const Original = realm.Worker;
  if (!Original) return;
  realm.Worker = class extends Original {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      ledger.workers.add(this);
    }

    override terminate(): void {
      ledger.workers.delete(this);
      super.terminate();
    }
  };
}

function identify(type: string, listener: object, options: unknown): string {
  let id = listenerIds.get(listener);
  if (id === undefined) {
    nextListener += 1;
    id = nextListener;
    listenerIds.set(listener, id);
  }
  const capture =
    typeof options === 'boolean' ? options : (options as AddEventListenerOptions | undefined)?.capture === true;
  return `${type}/${String(capture)}/${id}`;
}

function countListeners(target: EventTarget, ledger: Ledger): void {
  const held = new Set<string>();
  ledger.domListeners.set(target, held);
  const add = target.addEventListener.bind(target);
  const remove = target.removeEventListener.bind(target);
  target.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void => {
    add(type, listener, options);
    if (!listener) return;
    const key = identify(type, listener, options);
    held.add(key);
    if (typeof options !== 'object') return;
    options.signal?.addEventListener('abort', () => held.delete(key));
    if (options.once) add(type, () => held.delete(key), { once: true, capture: options.capture === true });
  };
  target.removeEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void => {
    if (listener) held.delete(identify(type, listener, options));
    remove(type, listener, options);
  };
}

function countEvents(): void {
  if (eventsWatched) return;
  eventsWatched = true;
  const prototype = Events.prototype;
  const { on, off, offref } = prototype;
  prototype.on = function (name, callback, ctx) {
    const ref = on.call(this, name, callback, ctx);
    eventRefs.add(ref);
    return ref;
  };
  prototype.off = function (name, callback) {
    off.call(this, name, callback);
    for (const ref of eventRefs) {
      const held = ref as { source: unknown; name: string; callback: unknown };
      if (held.source === this && held.name === name && held.callback === callback) eventRefs.delete(ref);
    }
  };
  prototype.offref = function (ref) {
    offref.call(this, ref);
    eventRefs.delete(ref);
  };
}

/** Counts from zero again, when no app is left: what is counted holds all files and views of the apps that are closed. */
export function forgetListeners(): void {
  eventRefs.clear();
}

/** Idempotent for a window; counts include what the emulator itself holds, so compare two moments at rest. */
export function installAccounting(win: Window): Accounting {
  let ledger = ledgers.get(win);
  if (!ledger) {
    ledger = { timers: new Set(), workers: new Set(), domListeners: new Map(), refs: eventRefs };
    ledgers.set(win, ledger);
    countTimers(win, ledger);
    countWorkers(win, ledger);
    countListeners(win, ledger);
    countListeners(win.document, ledger);
    countEvents();
  }
  const held = ledger;
  return {
    listeners: () => held.refs.size + Array.from(held.domListeners.values()).reduce((sum, keys) => sum + keys.size, 0),
    timers: () => held.timers.size,
    workers: () => held.workers.size,
    nodes: () => win.document.querySelectorAll('*').length,
  };
}

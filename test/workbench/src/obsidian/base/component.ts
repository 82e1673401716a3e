/** The life cycle of everything that can be loaded and unloaded. */
import type { EventRef, KeymapEventHandler } from 'obsidian';
import type { BoundEvent } from './events';
import type { Scope } from './scope';

type Listener = (event: any) => any;

/** The events by name that an element, its document or its window hears. */
type EventsOf<T> = T extends Window ? WindowEventMap : T extends Document ? DocumentEventMap : HTMLElementEventMap;

interface Loadable {
  load(): unknown;
  unload(): void;
}

export class Component {
  private loaded = false;
  private children: Loadable[] = [];
  private cleanups: (() => unknown)[] = [];

  get isLoaded(): boolean {
    return this.loaded;
  }

  /** Returns what `onload` returned, so that a caller can wait for an asynchronous one. */
  load(): void | Promise<void> {
    if (this.loaded) return;
    this.loaded = true;
    const result = this.onload() as void | Promise<void>;
    for (const child of [...this.children]) void child.load();
    return result;
  }

  onload(): void {}

  unload(): void {
    if (!this.loaded) return;
    this.loaded = false;
    for (let child = this.children.pop(); child; child = this.children.pop()) child.unload();
    for (let cleanup = this.cleanups.pop(); cleanup; cleanup = this.cleanups.pop()) {
      try {
        cleanup();
      } catch (error) {
        console.error(error);
      }
    }
    this.onunload();
  }

  onunload(): void {}

  addChild<T extends Loadable>(component: T): T {
    this.children.push(component);
    if (this.loaded) void component.load();
    return component;
  }

  removeChild<T extends Loadable>(component: T): T {
    this.children = this.children.filter((child) => child !== component);
    component.unload();
    return component;
  }

  register(cb: () => any): void {
    this.cleanups.push(cb);
  }

  registerEvent(eventRef: EventRef): void {
    this.register(() => (eventRef as BoundEvent).source.offref(eventRef));
  }

  registerDomEvent<T extends Window | Document | HTMLElement, K extends keyof EventsOf<T> & string>(
    el: T,
    type: K,
    callback: (this: HTMLElement, ev: EventsOf<T>[K]) => any,
    options?: boolean | AddEventListenerOptions,
  ): void {
    const listener = callback as Listener;
    el.addEventListener(type, listener, options);
    this.register(() => el.removeEventListener(type, listener, options));
  }

  registerScopeEvent(handler: KeymapEventHandler): void {
    this.register(() => (handler.scope as unknown as Scope).unregister(handler));
  }

  registerInterval(id: number): number {
    this.register(() => clearInterval(id));
    return id;
  }
}

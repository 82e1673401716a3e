/** The event emitter that Vault, MetadataCache and Workspace extend. */
import type { EventRef } from 'obsidian';

export type { EventRef };
export type EventCallback = (...data: any[]) => unknown;

/** What an EventRef really is here; `source` lets a Component detach it without knowing who made it. */
export interface BoundEvent {
  name: string;
  callback: EventCallback;
  context: unknown;
  source: Events;
}

export class Events {
  private bound = new Map<string, BoundEvent[]>();

  on(name: string, callback: EventCallback, ctx?: any): EventRef {
    const ref: BoundEvent = { name, callback, context: ctx, source: this };
    const refs = this.bound.get(name);
    if (refs) refs.push(ref);
    else this.bound.set(name, [ref]);
    return ref;
  }

  off(name: string, callback: EventCallback): void {
    this.keep(name, (ref) => ref.callback !== callback);
  }

  offref(ref: EventRef): void {
    if (ref) this.keep((ref as BoundEvent).name, (other) => other !== ref);
  }

  trigger(name: string, ...data: unknown[]): void {
    const refs = this.bound.get(name);
    if (refs) for (const ref of this.arrange([...refs])) this.tryTrigger(ref, data);
  }

  /** One listener's failure never keeps the others from being called. */
  tryTrigger(ref: EventRef, args: unknown[]): void {
    const { callback, context } = ref as BoundEvent;
    try {
      callback.apply(context, args as any[]);
    } catch (error) {
      console.error(error);
    }
  }

  hasListeners(name: string): boolean {
    return (this.bound.get(name)?.length ?? 0) > 0;
  }

  /** Overridden where chaos may call the listeners in another order. */
  protected arrange(refs: BoundEvent[]): BoundEvent[] {
    return refs;
  }

  private keep(name: string, predicate: (ref: BoundEvent) => boolean): void {
    const refs = (this.bound.get(name) ?? []).filter(predicate);
    if (refs.length) this.bound.set(name, refs);
    else this.bound.delete(name);
  }
}

/** The events of a chat about its system prompt and what is active in it, and their listeners in other plugins (R257). */
import { words } from '../../text';
import { messageOf } from '../ports/failure';
import type { ModeId } from '../settings/mode';

/** The events of one chat, emitted by the turn that applies what they report (K13). */
export interface ContextEvents {
  readonly 'system-prompt-updated': {
    /** Ids of the sections that changed; all of them at the start of a chat. */
    readonly sections: readonly string[];
    readonly reasons: readonly string[];
    /** Tokens of the system prompt, as counted for budgets. */
    readonly tokens: number;
  };
  readonly 'mode-changed': { readonly from: ModeId; readonly to: ModeId };
  /** Paths of notes, labels of skills without one, or ids of registered prompts. */
  readonly 'active-skills-updated': readonly string[];
  /** Names of tools. */
  readonly 'active-tools-updated': readonly string[];
  /** Ids of hooks. */
  readonly 'active-hooks-updated': readonly string[];
  /** Names of servers. */
  readonly 'active-mcp-updated': readonly string[];
}

export type ContextEventName = keyof ContextEvents;

export const contextEventNames = [
  'system-prompt-updated',
  'mode-changed',
  'active-skills-updated',
  'active-tools-updated',
  'active-hooks-updated',
  'active-mcp-updated',
] as const satisfies readonly ContextEventName[];

/** A typed emitter: each event has a payload, and each subscription returns its release. */
export interface Emitter<Events> {
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void;
  /** Calls the listener at every such event until the returned function is called. */
  subscribe<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void;
  /** Removes all listeners, as on unload. */
  clear(): void;
}

export function createEmitter<Events>(): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
  return {
    emit: (name, event) => {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(event as never);
    },
    subscribe: (name, listener) => {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => void own.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}

/** An event as another plugin gets it: a copy, with the chat that it belongs to; lists are in `active`. */
export type PluginEvent = Readonly<Record<string, unknown>> & { readonly conversationId: string };

/** May be asynchronous; nobody waits for it. */
export type PluginListener = (event: PluginEvent) => unknown;

/** PluginEvents: the listeners of other plugins to the events of all chats. */
export class PluginEvents {
  private readonly emitter = createEmitter<Record<ContextEventName, PluginEvent>>();

  /** @param report called with a sentence about a listener that failed */
  constructor(private readonly report: (said: string) => void) {}

  /**
   * Calls the listener at every such event of any chat until the returned function is called.
   * @throws if there is no such event, or if the listener is not a function
   */
  subscribe(name: ContextEventName, listener: PluginListener): () => void {
    if (!contextEventNames.includes(name)) throw new Error(words.hooks.wrongEvent(String(name), contextEventNames));
    if (typeof listener !== 'function') throw new TypeError(words.hooks.wrongListener(name));
    return this.emitter.subscribe(name, (event) => this.call(name, listener, event));
  }

  /** Reports an event of a chat. A listener that fails stops nothing. */
  announce<Name extends ContextEventName>(conversationId: string, name: Name, event: ContextEvents[Name]): void {
    const shown: object = Array.isArray(event) ? { active: event } : event;
    this.emitter.emit(name, { conversationId, ...shown });
  }

  private call(name: ContextEventName, listener: PluginListener, event: PluginEvent): void {
    const failed = (thrown: unknown): void => this.report(words.hooks.listenerFailed(name, messageOf(thrown)));
    try {
      void Promise.resolve(listener(JSON.parse(JSON.stringify(event)) as PluginEvent)).catch(failed);
    } catch (thrown) {
      failed(thrown);
    }
  }
}

/** A typed emitter: each event with its payload, each subscription with its release (R257). */

export interface Emitter<Events> {
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void;
  /** Calls the listener at every such event until the returned function is called. */
  subscribe<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void;
  /** Forgets all listeners, as when the plugin unloads. */
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

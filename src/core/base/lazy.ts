/** Values that cost too much to be made while the app starts. */

/** `make` is called when the value is first asked for, and once. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** What has to be loaded before it can be used. */
export interface Loading<Value> {
  /** Null until it is there. */
  readonly loaded: Value | null;
  /** Loads it on the first call, and anew after a call that rejected. */
  load(): Promise<Value>;
}

export function lazyLoad<Value>(open: () => Promise<Value>): Loading<Value> {
  let loaded: Value | null = null;
  let pending: Promise<Value> | null = null;
  const begin = async (): Promise<Value> => {
    try {
      return (loaded = await open());
    } catch (thrown) {
      pending = null;
      throw thrown;
    }
  };
  return {
    get loaded() {
      return loaded;
    },
    load: () => (pending ??= begin()),
  };
}

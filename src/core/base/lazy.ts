/** Values that cost too much to create while Obsidian starts. */

/** Returns a getter that calls `make` on first use, and only once. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** A value that must be loaded before it can be used. */
export interface Loading<Value> {
  /** Null until it is loaded. */
  readonly loaded: Value | null;
  /** Loads the value on the first call, and again after a call that rejected. */
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

/** Keeps the results of a function that never change, at most so many, since it is called with the same texts often. */
export function remember<Result>(most: number, find: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= most) results.clear();
    const result = find(text);
    results.set(text, result);
    return result;
  };
}

/** Keeps what a function finds of an object that never changes, for as long as that object is in use. */
export function rememberOf<Item extends object, More extends readonly unknown[], Result>(
  find: (item: Item, ...more: More) => Result,
): (item: Item, ...more: More) => Result {
  const results = new WeakMap<Item, { readonly result: Result }>();
  return (item, ...more) => {
    const known = results.get(item) ?? { result: find(item, ...more) };
    results.set(item, known);
    return known.result;
  };
}

/** A value that costs too much to be made while the app starts: `make` is called when it is first asked for, and once. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

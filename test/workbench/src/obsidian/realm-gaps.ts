/** Fills what jsdom's realm lacks next to a browser's; in a browser it finds nothing to do. */

interface BuiltinHost {
  getBuiltinModule?(name: string): Record<string, unknown> | undefined;
}

const WANTED: Record<string, string[]> = {
  'node:util': ['TextEncoder', 'TextDecoder'],
  'node:stream/web': [
    'ReadableStream',
    'WritableStream',
    'TransformStream',
    'TextDecoderStream',
    'TextEncoderStream',
    'CompressionStream',
    'DecompressionStream',
  ],
};

const realm = globalThis as unknown as Record<string, unknown>;
const host = realm['process'] as BuiltinHost | undefined;

for (const [module, names] of Object.entries(WANTED)) {
  const missing = names.filter((name) => realm[name] === undefined);
  const found = missing.length > 0 ? host?.getBuiltinModule?.(module) : undefined;
  for (const name of missing) {
    if (found?.[name]) Object.defineProperty(realm, name, { value: found[name], configurable: true, writable: true });
  }
}

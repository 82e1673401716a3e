/** Names of the API that the emulator knows and refuses, each with a clear error. */

const CLASSES = [
  'BasesEntry',
  'BasesEntryGroup',
  'BasesQueryResult',
  'BasesView',
  'BasesViewConfig',
  'BooleanValue',
  'CapacitorAdapter',
  'DateValue',
  'DurationValue',
  'FileSystemAdapter',
  'FileValue',
  'HTMLValue',
  'IconValue',
  'ImageValue',
  'LinkValue',
  'ListValue',
  'NotNullValue',
  'NullValue',
  'NumberValue',
  'ObjectValue',
  'PrimitiveValue',
  'QueryController',
  'RegExpValue',
  'RelativeDateValue',
  'StringValue',
  'TagValue',
  'UrlValue',
  'Value',
] as const;

const FUNCTIONS = ['loadPdfJs', 'parsePropertyId'] as const;

export const notEmulated: readonly string[] = [...CLASSES, ...FUNCTIONS];

function refuse(name: string): never {
  throw new Error(`The workbench does not emulate ${name}`);
}

/** Creates a class that works with `instanceof` and `extends` and cannot be constructed. */
function createRefusedClass(name: string): abstract new (...given: never[]) => object {
  const refused = class {
    constructor() {
      refuse(name);
    }
  };
  Object.defineProperty(refused, 'name', { value: name });
  return refused;
}

export const refusals: Record<string, unknown> = Object.fromEntries([
  ...CLASSES.map((name) => [name, createRefusedClass(name)] as const),
  ...FUNCTIONS.map((name) => [name, (): never => refuse(name)] as const),
]);

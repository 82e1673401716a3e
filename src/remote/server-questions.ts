/** What a server may ask the user during a call (elicitation): read from its request, and answered for it. */
import { startOf } from '../core/base/cut';
import type { McpCallPorts, McpField, McpQuestion, McpReply, McpValues } from '../core/ports/network';
import { isRecord, type PlainRecord } from './read-messages';
import type { Patience } from './send-request';

/** A call as its request and its answers are watched on the way. */
export interface WatchedCall {
  readonly during: McpCallPorts;
  readonly patience: Patience;
  /** Called when a question cannot be shown as the server means it. */
  readonly leftOut: () => void;
}

const maxFields = 24;
const maxOptions = 100;
const maxWords = 2_000;
const maxAddress = 4_096;
/** The most characters of a name or a value, which cannot be cut. */
const maxName = 200;

/** Asks the user what the server asks; a question that cannot be shown as it is meant is not answered. */
export async function answerQuestion(
  params: PlainRecord,
  { during, patience, leftOut }: WatchedCall,
  signal: AbortSignal,
): Promise<McpReply> {
  const question = readQuestion(params);
  if (question === null) leftOut();
  if (question === null || during.ask === undefined) return { action: 'cancel' };
  const release = patience.hold();
  try {
    const reply = await during.ask(question, signal);
    return 'content' in reply ? { ...reply, content: asOffered(reply.content, params) } : reply;
  } finally {
    release();
  }
}

/** Returns the values as the server offers them: in the form, options that are numbers or truth values are texts. */
function asOffered(content: McpValues = {}, { requestedSchema }: PlainRecord): McpValues {
  const { properties } = isRecord(requestedSchema) ? requestedSchema : {};
  const schemas = isRecord(properties) ? properties : {};
  const values = Object.entries(content).map(([name, value]): [string, McpValues[string]] => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const offered = isRecord(schema) ? offeredIn(withoutNull(schema)).filter(isPlain) : [];
    const back = (chosen: string | number | boolean): string | number | boolean =>
      offered.find((each) => String(each) === chosen) ?? chosen;
    return [name, typeof value === 'object' ? value.map(back) : back(value)];
  });
  return Object.fromEntries(values);
}

function offeredIn({ enum: values, oneOf, anyOf, items }: PlainRecord): readonly unknown[] {
  if (Array.isArray(values)) return values;
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(titled)) return titled.map((each: unknown) => (isRecord(each) ? each.const : undefined));
  return isRecord(items) ? offeredIn(items) : [];
}

/** @returns null for a question with anything that the form has no field for */
function readQuestion({ mode = 'form', message, requestedSchema, url }: PlainRecord): McpQuestion | null {
  const said = wordsIn(message);
  if (mode === 'url') return typeof url === 'string' && isPage(url) ? { kind: 'page', message: said, url } : null;
  if (mode !== 'form' || !isRecord(requestedSchema)) return null;
  const { properties, required } = requestedSchema;
  const entries = isRecord(properties) ? Object.entries(properties) : [];
  if (entries.length > maxFields) return null;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = entries.map(([name, schema]) =>
    isRecord(schema) ? fieldOf(name, schema, names.includes(name)) : null,
  );
  const known = fields.filter((field) => field !== null);
  return known.length < fields.length ? null : { kind: 'form', message: said, fields: known };
}

function isPage(address: string): boolean {
  if (address.length > maxAddress || !URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function fieldOf(name: string, given: PlainRecord, required: boolean): McpField | null {
  const schema = withoutNull(given);
  const kind = kindOf(schema);
  if (kind === null || [name, ...kind.options.map(({ value }) => value)].some((each) => each.length > maxName)) {
    return null;
  }
  const { title, description, format } = schema;
  const bounds = boundsOf(schema);
  const initial = initialOf(schema.default);
  return {
    name,
    title: wordsIn(title) || name,
    description: wordsIn(description),
    required,
    ...kind,
    ...(initial !== undefined && { initial }),
    ...bounds,
    ...(typeof format === 'string' && { format }),
  };
}

/**
 * Returns the schema of what may be left open as that of its value alone: an optional field is written as one of two
 * types, of which one is null, in Python with a schema for each of them.
 */
function withoutNull(schema: PlainRecord): PlainRecord {
  const { anyOf, oneOf = anyOf, ...rest } = schema;
  const types: readonly unknown[] = Array.isArray(oneOf) ? oneOf : [];
  const others = types.filter((each) => !isRecord(each) || each.type !== 'null');
  const [only] = others;
  if (others.length === 1 && types.length > 1 && isRecord(only)) return { ...rest, ...only };
  const names: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [];
  const [name, ...more] = names.filter((each) => each !== 'null');
  return names.length > 1 && more.length === 0 ? { ...schema, type: name } : schema;
}

function kindOf(schema: PlainRecord): Pick<McpField, 'type' | 'options'> | null {
  const { type, items } = schema;
  const options = optionsOf(schema);
  if (options !== null) return isUsable(options) ? { type: 'one', options } : null;
  if (type === 'string') return { type: 'text', options: [] };
  if (type === 'number' || type === 'integer' || type === 'boolean') return { type, options: [] };
  const several = type === 'array' && isRecord(items) ? optionsOf(items) : null;
  return several !== null && isUsable(several) ? { type: 'several', options: several } : null;
}

type Option = McpField['options'][number];

function isUsable(options: readonly (Option | null)[]): options is readonly Option[] {
  return options.length <= maxOptions && !options.includes(null);
}

/** Returns null without a list of options; null in place of one that is neither a text, a number, nor a truth value. */
function optionsOf(schema: PlainRecord): readonly (Option | null)[] | null {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, at) => optionOf(value, names[at]));
  }
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  if (!Array.isArray(titled)) return null;
  return titled.map((each: unknown) => (isRecord(each) ? optionOf(each.const, each.title) : null));
}

function optionOf(value: unknown, title: unknown): Option | null {
  return isPlain(value) ? { value: String(value), label: wordsIn(title) || String(value) } : null;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function boundsOf(schema: PlainRecord): Pick<McpField, 'least' | 'most'> {
  const numberOf = (...names: readonly string[]): number | undefined =>
    names.map((name) => schema[name]).find((value) => typeof value === 'number');
  const least = numberOf('minimum', 'minLength', 'minItems');
  const most = numberOf('maximum', 'maxLength', 'maxItems');
  return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
}

function initialOf(value: unknown): McpField['initial'] {
  if (isPlain(value)) return value;
  return Array.isArray(value) ? value.filter(isPlain).map(String) : undefined;
}

function wordsIn(value: unknown): string {
  return typeof value === 'string' ? startOf(value.trim(), maxWords) : '';
}

/** Encodes a RequestPlan as the prompt and tools of a language model call: real roles, nothing flattened to text. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import {
  type AssistantPart,
  type ImagePart,
  type ImageReference,
  type Message,
  type TextPart,
  type ToolCallPart,
  toolCallsOf,
  type ToolResultPart,
  unusedId,
} from '../core/ports/message';
import type { RequestPlan, ToolDeclaration } from '../core/ports/request-plan';
import type { ModelChoices } from '../core/settings/settings';
import { fingerprint, nestsTooDeep } from '../core/base/equality';
import { decodePercent } from '../core/writing/guard/addresses';
import { isReasoningOf, mergeMetadata, type ReasoningSource } from './decode-stream';
import { isRecord, parseJson } from './http/wire-format';
import type { CallIds } from './providers/provider';

export type EncodedPlan = Pick<
  LanguageModelV4CallOptions,
  'prompt' | 'tools' | 'maxOutputTokens' | 'temperature' | 'reasoning' | 'providerOptions'
>;

/** What a provider needs besides the request itself. */
export interface Encoding {
  /** How the provider is asked to cache the request; not asked if absent. */
  readonly cacheHint?: 'cache_control' | 'prompt_cache_key';
  readonly takesImages?: boolean;
  /** The most images that the model takes in one request, if its server named it; the newest are sent. */
  readonly imageLimit?: number | undefined;
  /** Image bytes by digest; text replaces an image that is missing here. */
  readonly images?: ReadonlyMap<string, Uint8Array>;
  /** Whether neighbors of one role are joined, for servers whose templates require alternating roles (K16). */
  readonly joinsNeighbours?: boolean;
  /** Whether the request states the context window it was planned for. */
  readonly reportsWindow?: boolean;
  /** Reasoning effort; the model's default unless given. */
  readonly effort?: ModelChoices['effort'];
  /** The user's setting; a hook's value overrides it. */
  readonly temperature?: number;
  /** Whether the model is known to refuse any temperature. */
  readonly refusesTemperature?: boolean;
  /** Whether the instructions begin the first message of the user, for models that take none elsewhere. */
  readonly foldsSystem?: boolean;
  /** The most tokens that the model answers with, if its server named it. */
  readonly outputLimit?: number | undefined;
  /** Whether earlier reasoning is left out. */
  readonly leavesOutThoughts?: boolean;
  /** The ids of tool calls that the provider accepts; any unless given. */
  readonly callIds?: CallIds;
  /** Whether results that nobody answered get an answer that says so. */
  readonly answersResults?: boolean | undefined;
}

/** Returns the bytes of an image, or null if its file is missing. */
export type ReadImage = (image: ImageReference) => Promise<Uint8Array | null>;

export function encodePlan(plan: RequestPlan, source: ReasoningSource, encoding: Encoding = {}): EncodedPlan {
  const { cacheHint, effort } = encoding;
  const temperature = encoding.refusesTemperature === true ? undefined : (plan.temperature ?? encoding.temperature);
  const marks = cacheHint === 'cache_control' ? (plan.breakpoints ?? []) : [];
  const sent = withNewestImages(withOwnIds(plan.messages), encoding);
  const { instructions, messages: given } = arrange({ ...plan, messages: sent }, encoding);
  const messages = given.flatMap((message, index) => [
    ...(encoding.answersResults && message.role === 'user' && given[index - 1]?.role === 'tool' ? [unanswered] : []),
    ...encodeMessage(
      message,
      source,
      encoding,
      marks.filter(({ after }) => after === index).map(({ part }) => part ?? message.parts.length - 1),
    ),
  ]);
  const system = marks.some(({ after }) => after === 'system')
    ? { role: 'system' as const, content: plan.system, providerOptions: cacheMark }
    : { role: 'system' as const, content: plan.system };
  return {
    prompt: instructions === '' ? messages : [system, ...messages],
    ...(plan.tools.length > 0 && { tools: plan.tools.map(encodeTool) }),
    maxOutputTokens: Math.min(plan.maxOutputTokens, encoding.outputLimit ?? Infinity),
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { reasoning: effort }),
    ...ownOptions({
      ...(cacheHint === 'prompt_cache_key' && { prompt_cache_key: plan.conversationId }),
      ...(encoding.reportsWindow === true && { window: plan.totals.window }),
    }),
  };
}

/**
 * Gives each call an id of its own, with its result: older chats have calls of several answers with one id, as some
 * servers number them, and Anthropic refuses every request with such calls.
 */
function withOwnIds(messages: readonly Message[]): readonly Message[] {
  const taken = new Set<string>();
  let sent: ReadonlyMap<string, string> = new Map();
  return messages.map((message): Message => {
    if (message.role === 'assistant') {
      const calls = toolCallsOf(message.parts);
      if (calls.length === 0) return message;
      sent = new Map(calls.map(({ id }) => [id, unusedId(id, taken)]));
      const parts = message.parts.map((part) =>
        part.type === 'tool-call' ? { ...part, id: sent.get(part.id) ?? part.id } : part,
      );
      return { ...message, parts };
    }
    if (message.role !== 'tool') return message;
    return {
      ...message,
      parts: message.parts.map((part) => ({ ...part, callId: sent.get(part.callId) ?? part.callId })),
    };
  });
}

function withNewestImages(messages: readonly Message[], { imageLimit }: Encoding): readonly Message[] {
  if (imageLimit === undefined) return messages;
  const images = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'image'));
  const older = new Set<unknown>(images.slice(0, Math.max(0, images.length - imageLimit)));
  const inWords = (part: TextPart | ImagePart): TextPart | ImagePart =>
    part.type === 'image' && older.has(part) ? { type: 'text', text: part.olderText } : part;
  return messages.map((message) =>
    message.role === 'user' ? { ...message, parts: message.parts.map(inWords) } : message,
  );
}

/** Returns the instructions and the messages in the form that the model takes. */
function arrange(
  { system, messages: planned }: RequestPlan,
  { foldsSystem, joinsNeighbours, answersResults }: Encoding,
) {
  // An answer that is left out is no answer between two messages. Cache marks count messages as they were planned.
  const isStrict = foldsSystem === true || joinsNeighbours === true || answersResults === true;
  const messages = isStrict ? planned.filter((message) => !saysNothing(message)) : planned;
  if (foldsSystem !== true || system === '') {
    return { instructions: system, messages: joinsNeighbours === true ? joinNeighbours(messages) : messages };
  }
  const instructed: Message[] = [{ role: 'user', parts: [{ type: 'text', text: system }] }, ...messages];
  return { instructions: '', messages: joinNeighbours(instructed) };
}

function saysNothing({ role, parts }: Message): boolean {
  const isSilent = (part: AssistantPart): boolean =>
    part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === '');
  return role === 'assistant' && parts.every(isSilent);
}

function ownOptions(docent: Record<string, string | number>): Pick<EncodedPlan, 'providerOptions'> {
  return Object.keys(docent).length === 0 ? {} : { providerOptions: { docent } };
}

const unanswered: LanguageModelV4Message = { role: 'assistant', content: [{ type: 'text', text: '(no answer)' }] };

const cacheMark = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Joins messages of one side in a row, with all parts in their order: an answer may follow one that was cut off. */
function joinNeighbours(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user') {
      joined[joined.length - 1] = { role: 'user', parts: [...last.parts, ...message.parts] };
    } else if (last?.role === 'assistant' && message.role === 'assistant') {
      joined[joined.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] };
    } else joined.push(message);
  }
  return joined;
}

/**
 * Encodes one message; one without content for this model is left out, because providers refuse empty messages.
 * @param marks indexes of the parts after which the provider is asked to cache the request
 */
function encodeMessage(
  message: Message,
  source: ReasoningSource,
  encoding: Encoding,
  marks: readonly number[],
): LanguageModelV4Message[] {
  const marked = <Part extends Pick<LanguageModelV4TextPart, 'providerOptions'>>(
    parts: Part[],
    index: number,
  ): Part[] =>
    parts.map((part, at) =>
      marks.includes(index) && at === parts.length - 1
        ? { ...part, providerOptions: mergeMetadata(part.providerOptions, cacheMark) }
        : part,
    );
  switch (message.role) {
    case 'user': {
      const content = message.parts.flatMap((part, index) => marked(encodeUserPart(part, encoding), index));
      return content.length === 0 ? [] : [{ role: 'user', content }];
    }
    case 'assistant': {
      const content = message.parts.flatMap((part, index) =>
        marked(encodeAssistantPart(part, source, encoding), index),
      );
      const said = content.filter((part) => part.type !== 'reasoning');
      if (said.length === 0) return [];
      // The thoughts themselves are in what the package sends with the message.
      const memory = content.find(({ providerOptions }) => providerOptions?.openaiCompatible)?.providerOptions;
      return [memory ? { role: 'assistant', content: said, providerOptions: memory } : { role: 'assistant', content }];
    }
    case 'tool': {
      const content = message.parts.flatMap((part, index) => marked([encodeToolResult(part, encoding)], index));
      return content.length === 0 ? [] : [{ role: 'tool', content }];
    }
  }
}

function encodeUserPart(
  part: TextPart | ImagePart,
  { takesImages = false, images }: Encoding,
): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (part.type === 'text') return encodeText(part);
  if (!takesImages) return encodeText({ type: 'text', text: part.text });
  const data = images?.get(part.image.digest);
  if (data === undefined) return encodeText({ type: 'text', text: part.missingText });
  const file = { type: 'file', mediaType: part.image.mediaType, data: { type: 'data', data } } as const;
  return [...encodeText({ type: 'text', text: part.label }), file];
}

/** Leaves out a text of blanks alone, which Anthropic refuses: models write one between a thought and a call. */
function encodeText({ text }: TextPart): LanguageModelV4TextPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function encodeAssistantPart(
  part: AssistantPart,
  source: ReasoningSource,
  { leavesOutThoughts = false, callIds }: Encoding,
): (LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart)[] {
  switch (part.type) {
    case 'text':
      return encodeText(part);
    case 'reasoning': {
      // Another model's reasoning is noise to this one, and a server that does not know the field refuses it.
      if (leavesOutThoughts || !isReasoningOf(part.providerData, source)) return [];
      const { metadata } = part.providerData;
      return [{ type: 'reasoning', text: part.text, ...(metadata && { providerOptions: metadata }) }];
    }
    case 'tool-call': {
      const memory = !leavesOutThoughts && isReasoningOf(part.providerData, source) && part.providerData.metadata;
      return [
        {
          type: 'tool-call',
          toolCallId: sendableId(part.id, callIds),
          toolName: sendableName(part.name),
          input: sendableArguments(part.argumentsText),
          ...(memory && { providerOptions: memory }),
        },
      ];
    }
  }
}

function encodeToolResult(
  { callId, name, text, isError }: ToolResultPart,
  { callIds }: Encoding,
): LanguageModelV4ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: sendableId(callId, callIds),
    toolName: sendableName(name),
    output: { type: isError ? 'error-text' : 'text', value: text },
  };
}

function encodeTool({ name, description, parameters }: ToolDeclaration): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: sendableSchema(parameters).schema };
}

interface SendableSchema {
  readonly schema: Schema;
  /** The parameters whose names are others than those of the tool, by the names in the schema. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** A schema never changes, and those of servers are large. */
const sendable = new WeakMap<Schema, SendableSchema>();

function sendableSchema(parameters: Schema): SendableSchema {
  const known = sendable.get(parameters);
  if (known !== undefined) return known;
  const plain = withItems(withoutAlternatives(parameters)) as Schema;
  // OpenAI refuses every request with a tool that has no such member, as tools of servers that take nothing may have none.
  const made = withSendableNames('properties' in plain ? plain : { ...plain, properties: {} });
  sendable.set(parameters, made);
  return made;
}

/** The names of parameters that Anthropic takes; it refuses every request with a tool that has another. */
const parameterName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Renames the parameters whose names are refused, such as `$filter` or `検索`; their title says what they are called. */
function withSendableNames(schema: Schema): SendableSchema {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const taken = new Set(names);
  const sent = new Map<string, string>();
  for (const name of names) {
    if (parameterName.test(name)) continue;
    const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 60) || '_';
    let free = plain;
    for (let count = 2; taken.has(free); count += 1) free = `${plain}${count}`;
    taken.add(free);
    sent.set(name, free);
  }
  if (sent.size === 0) return { schema, renamed: sent };
  const members = Object.entries(properties).map(([name, member]): [string, unknown] => {
    const free = sent.get(name);
    return free === undefined ? [name, member] : [free, isRecord(member) ? { title: name, ...member } : member];
  });
  const required = requiredIn(schema).map((name) => sent.get(name) ?? name);
  return {
    schema: withReferences(
      { ...schema, properties: Object.fromEntries(members), ...(required.length > 0 && { required }) },
      sent,
    ) as Schema,
    renamed: new Map([...sent].map(([name, free]) => [free, name])),
  };
}

/** Renames parameters also in references to their descriptions, as in a schema that describes two alike. */
function withReferences(value: unknown, sent: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withReferences(each, sent));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, each]): [string, unknown] => {
    if (name !== '$ref' || typeof each !== 'string') return [name, withReferences(each, sent)];
    const [start = '', own = ''] = /^#\/properties\/([^/]+)/.exec(each) ?? [];
    const free = sent.get(decodePercent(own).replace(/~1/g, '/').replace(/~0/g, '~'));
    return [name, free === undefined ? each : `#/properties/${free}${each.slice(start.length)}`];
  });
  return Object.fromEntries(members);
}

/**
 * Returns a call by the own name of its tool, which models write in other letters or after that of a group, as in
 * `default_api:search_notes`; and with the tool's own names for its parameters, unless its arguments are no object.
 */
export function withOwnNames(given: ToolCallPart, tools: readonly ToolDeclaration[]): ToolCallPart {
  const called = plainName(given.name);
  const exact = tools.filter(({ name }) => name === given.name);
  const [tool, another] = exact.length > 0 ? exact : tools.filter(({ name }) => plainName(name) === called);
  if (tool === undefined || another !== undefined) return given;
  return withOwnParameters(tool.name === given.name ? given : { ...given, name: tool.name }, tool);
}

/** Returns a name without the groups before it, and the number after it that some models write. */
function plainName(name: string): string {
  const bare = name.trim().replace(/:\d+$/, '');
  return bare.slice(Math.max(...['.', ':', '/'].map((mark) => bare.lastIndexOf(mark))) + 1).toLowerCase();
}

function withOwnParameters(call: ToolCallPart, tool: ToolDeclaration): ToolCallPart {
  const { renamed } = sendableSchema(tool.parameters);
  if (renamed.size === 0 || !isRecord(parseJson(call.argumentsText))) return call;
  let depth = 0;
  // A long number that is read and written again is another one.
  const argumentsText = call.argumentsText.replace(jsonPart, (part, colon: string | undefined) => {
    if (part === '{' || part === '[') depth += 1;
    if (part === '}' || part === ']') depth -= 1;
    if (depth !== 1 || colon === undefined) return part;
    const own = renamed.get(String(parseJson(part.slice(0, -colon.length))));
    return own === undefined ? part : JSON.stringify(own) + colon;
  });
  return { ...call, argumentsText };
}

/** What opens and closes objects and lists in JSON, and its strings, with the colon after a name. */
const jsonPart = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

type Schema = ToolDeclaration['parameters'];

/**
 * Returns a schema without alternatives at its top: OpenAI and Anthropic refuse every request with a tool that has some.
 * What they describe can still be given; the server of the tool refuses what does not go together.
 */
function withoutAlternatives(schema: Schema): Schema {
  const { allOf, anyOf, oneOf, enum: values, not, ...rest } = schema;
  if ([allOf, anyOf, oneOf, values, not].every((each) => each === undefined)) return schema;
  const groups = [anyOf, oneOf].map((group) => alternativesIn(group, schema));
  const all = alternativesIn(allOf, schema);
  const found = new Map<string, Set<unknown>>();
  for (const { properties } of [...all, ...groups.flat()])
    for (const [name, each] of Object.entries(isRecord(properties) ? properties : {}))
      found.set(name, (found.get(name) ?? new Set()).add(each));
  const described = [...found].map(([name, each]) => [name, each.size === 1 ? [...each][0] : { anyOf: [...each] }]);
  const needed = [rest, ...all].flatMap(requiredIn);
  const neededByEach = groups.flatMap(([first = {}, ...others]) =>
    others.reduce((names: readonly string[], other) => {
      const theirs = new Set(requiredIn(other));
      return names.filter((name) => theirs.has(name));
    }, requiredIn(first)),
  );
  const required = [...new Set([...needed, ...neededByEach])];
  return {
    ...rest,
    properties: { ...Object.fromEntries(described), ...(isRecord(rest.properties) && rest.properties) },
    ...(required.length > 0 && { required }),
  };
}

/** Members of a schema that are data and not schemas. */
const data: readonly string[] = ['const', 'default', 'enum', 'example', 'examples', 'required'];
/** Members of a schema that have a schema for each name. */
const named: readonly string[] = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Says of each list that its items may be of any kind, if nothing is said of them: OpenAI refuses every request otherwise. */
function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems);
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (data.includes(name)) return [name, value];
    if (!named.includes(name) || !isRecord(value)) return [name, withItems(value)];
    return [name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withItems(each)]))];
  });
  const { type } = schema;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return Object.fromEntries(isList && !('items' in schema) ? [...members, ['items', {}]] : members);
}

/** Returns the schemas in a list, each once, also those that it names among the definitions. */
function alternativesIn(list: unknown, schema: Schema): readonly Schema[] {
  const all = (Array.isArray(list) ? list : []).map((each: unknown) => {
    const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(textAt(each, '$ref')) ?? [];
    const definitions = schema[group];
    return isRecord(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : each;
  });
  return [...new Set(all)].map((each) => (isRecord(each) ? each : {}));
}

function requiredIn({ required }: Schema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function textAt(value: unknown, member: string): string {
  const text = isRecord(value) ? value[member] : undefined;
  return typeof text === 'string' ? text : '';
}

/**
 * Returns the id, or one made from it if the provider would refuse it: a chat may have begun with a provider whose ids
 * look different. Equal ids give equal ones, so a result still belongs to its call.
 */
function sendableId(id: string, callIds: CallIds | undefined): string {
  if (callIds === undefined || callIds.shape.test(id)) return id;
  return (fingerprint(id) + fingerprint(`${id}.`)).slice(0, callIds.length);
}

/** Returns a name that providers accept: models invent names, and the history must stay sendable. */
function sendableName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
}

/**
 * Returns the arguments unchanged, or, if they are not a JSON object or are nested too deep, an object that quotes them:
 * servers parse the arguments in the history and would refuse every later request.
 */
function sendableArguments(argumentsText: string): string {
  if (argumentsText.trim() === '') return '{}';
  try {
    let hostile = false;
    const parsed: unknown = JSON.parse(argumentsText, (key, value: unknown) => {
      hostile ||=
        key === '__proto__' || (key === 'constructor' && isRecord(value) && Object.hasOwn(value, 'prototype'));
      return value;
    });
    if (isRecord(parsed) && !hostile && !nestsTooDeep(parsed)) return argumentsText;
  } catch {
    // Not JSON: quoted below.
  }
  return JSON.stringify({ unreadable_arguments: argumentsText });
}

/** Reads the images of a request, each once, when it is encoded; returns bytes by digest, without missing images. */
export async function readImages(
  { messages }: RequestPlan,
  read: ReadImage | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = new Map<string, ImageReference>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === 'image') wanted.set(part.image.digest, part.image);
  }
  const found = await Promise.all(
    [...wanted].map(async ([digest, image]) => [digest, (await read?.(image)) ?? null] as const),
  );
  return new Map(found.flatMap(([digest, bytes]) => (bytes === null ? [] : [[digest, bytes] as const])));
}

/** Reads a server's catalog page by page and normalizes it. */
import { byteLength, startOf } from '../core/base/cut';
import { compareText } from '../core/base/list-edits';
import {
  mcpHints,
  type McpCatalog,
  type McpPrompt,
  type McpPromptArgument,
  type McpResource,
  type McpTemplate,
  type McpTool,
} from '../core/ports/network';
import { words } from '../text';
import type { HttpTransport } from './http-transport';
import type { MCPClient } from './load-mcp';
import { limits } from './mcp-ports';
import { formatPrompt } from './read-answer';
import { isRecord, type PlainRecord } from './read-messages';
import { isReported, RemoteFailure } from './remote-failure';

/** Runs a request within the time limit of a list; an expired session is replaced by a new one. */
export type AskList = <Value>(
  run: (client: MCPClient, signal: AbortSignal, direct: ResultReader) => Promise<Value>,
) => Promise<Value>;

/** Reads results without the library. */
type ResultReader = Pick<HttpTransport, 'readResult'>;

/** Receives, in words, what was left out of a catalog. */
export type Note = (words: string) => void;

interface ListedPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/**
 * Requests the lists of tools, prompts and resources page by page, and the text of each prompt.
 * @throws RemoteFailure, or what the library throws
 */
export async function fetchCatalog(ask: AskList, server: string, note: Note): Promise<McpCatalog> {
  const tools = await ask(listTools);
  const listed = await ask(listPrompts).catch(orNothing);
  const prompts = await ask((_client, signal, direct) => readTexts(direct, listed, signal));
  const resources = await ask(listResources).catch(orNothing);
  const templates = await ask(listTemplates);
  const instructions = await ask((client) => Promise.resolve(client.instructions));
  return normalizeCatalog({ tools, prompts, resources, templates, instructions }, server, note);
}

function listTools(client: MCPClient, signal: AbortSignal): Promise<Listed<RawTool>> {
  if (client.initializeResult.capabilities.tools === undefined) return Promise.resolve(nothing);
  return allPages(limits.tools, async (params) => {
    const { tools, nextCursor } = await client.listTools({ params, options: { signal } });
    return { items: tools, nextCursor };
  });
}

async function listPrompts(client: MCPClient, signal: AbortSignal): Promise<Listed<ListedPrompt>> {
  if (client.initializeResult.capabilities.prompts === undefined) return nothing;
  return allPages(limits.prompts, async (params) => {
    const { prompts: items, nextCursor } = await client.listPrompts({ params, options: { signal } });
    return { items, nextCursor };
  });
}

function listResources(client: MCPClient, signal: AbortSignal): Promise<Listed<RawResource>> {
  if (client.initializeResult.capabilities.resources === undefined) return Promise.resolve(nothing);
  return allPages(limits.resources, async (params) => {
    const { resources, nextCursor } = await client.listResources({ params, options: { signal } });
    return { items: resources, nextCursor };
  });
}

/** Lists templates of addresses; a server that has resources need not know the question. */
async function listTemplates(
  client: MCPClient,
  signal: AbortSignal,
  direct: ResultReader,
): Promise<Listed<RawTemplate>> {
  if (client.initializeResult.capabilities.resources === undefined) return nothing;
  return allPages(limits.templates, async (params) => {
    if (params !== undefined) return templatesIn(await direct.readResult(templatesMethod, params, signal));
    try {
      return templatesIn(await client.listResourceTemplates({ options: { signal } }));
    } catch (thrown) {
      if (isReported(thrown) || isMissing(thrown)) return nothing;
      throw thrown;
    }
  });
}

const templatesMethod = 'resources/templates/list';
/** The library refuses a whole prompt for one message that it does not know, such as a sound. */
export const promptMethod = 'prompts/get';

/** @throws RemoteFailure 'broken' if the page is not one of templates */
function templatesIn({ resourceTemplates, nextCursor }: PlainRecord): Page<RawTemplate> {
  if (!Array.isArray(resourceTemplates)) throw new RemoteFailure('broken');
  const items = resourceTemplates.map((each: unknown): RawTemplate => {
    const { name, uriTemplate } = isRecord(each) ? each : {};
    if (typeof name !== 'string' || typeof uriTemplate !== 'string') throw new RemoteFailure('broken');
    return { name, uriTemplate };
  });
  return { items, ...(typeof nextCursor === 'string' && { nextCursor }) };
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof RemoteFailure && thrown.kind === 'status' && [400, 404, 405].includes(thrown.number);
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

interface Listed<Item> {
  readonly items: readonly Item[];
  /** Whether the server has pages after those that were read. */
  readonly hasMore: boolean;
}

const nothing = { items: [], hasMore: false } as const;
const noSuchMethod = -32601;

/** Some servers say that they have prompts or resources, and do not know the question for them. */
function orNothing(thrown: unknown): typeof nothing {
  if (isReported(thrown) && thrown.code === noSuchMethod) return nothing;
  throw thrown;
}

/** Reads pages until there are more items than `maxItems`, or no more pages. */
async function allPages<Item>(
  maxItems: number,
  read: (params: { cursor: string } | undefined) => Promise<Page<Item>>,
): Promise<Listed<Item>> {
  const found: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < limits.pages && found.length <= maxItems; page++) {
    const { items, nextCursor } = await read(cursor === undefined ? undefined : { cursor });
    for (const item of items) found.push(item);
    if (nextCursor === undefined || nextCursor === '') return { items: found, hasMore: false };
    cursor = nextCursor;
  }
  return { items: found, hasMore: true };
}

const maxParallelRequests = 8;

/** Reads the text of each prompt up to one more than the limit, which is enough to detect that there are more. */
async function readTexts(
  direct: ResultReader,
  { items, hasMore }: Listed<ListedPrompt>,
  signal: AbortSignal,
): Promise<Listed<McpPrompt>> {
  const wanted = items.slice(0, limits.prompts + 1);
  const found: McpPrompt[] = [];
  for (let start = 0; start < wanted.length; start += maxParallelRequests) {
    const some = wanted.slice(start, start + maxParallelRequests);
    found.push(...(await Promise.all(some.map((prompt) => readText(direct, prompt, signal)))));
  }
  return { items: found, hasMore };
}

/**
 * Returns the text of a prompt without arguments; an empty text if it needs some, which the user fills in, if the server
 * reports an error for it, if none of its messages can be read, such as a sound, or if its name is refused anyway.
 */
async function readText(
  direct: ResultReader,
  { name, description = '', arguments: taken = [] }: ListedPrompt,
  signal: AbortSignal,
): Promise<McpPrompt> {
  const prompt: McpPrompt = {
    name,
    description,
    text: '',
    ...(taken.length > 0 && { arguments: taken.map(normalArgument) }),
  };
  if (usableName(name) === null || taken.some(({ required }) => required === true)) return prompt;
  try {
    return { ...prompt, text: formatPrompt(await direct.readResult(promptMethod, { name }, signal)) };
  } catch (thrown) {
    if (thrown instanceof RemoteFailure && thrown.kind === 'reported') return prompt;
    throw thrown;
  }
}

function normalArgument(argument: NonNullable<ListedPrompt['arguments']>[number]): McpPromptArgument {
  const { name, description = '', required } = argument;
  return { name: name.trim(), description: cutDescription(description), required: required === true };
}

interface RawTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: PlainRecord;
  readonly annotations?: PlainRecord;
}

interface RawResource {
  readonly name: string;
  readonly uri: string;
}

interface RawTemplate {
  readonly name: string;
  readonly uriTemplate: string;
}

interface RawCatalog {
  readonly tools: Listed<RawTool>;
  readonly prompts: Listed<McpPrompt>;
  readonly resources: Listed<RawResource>;
  readonly templates: Listed<RawTemplate>;
  readonly instructions: string | undefined;
}

/**
 * Normalizes a catalog, so that equal catalogs compare equal, and reports what is left out.
 * @throws RemoteFailure 'offer-too-large'
 */
function normalizeCatalog(raw: RawCatalog, server: string, note: Note): McpCatalog {
  const text = words.remote;
  const tools = raw.tools.items.flatMap((tool) => {
    const normal = normalTool(tool);
    if (normal === null) note(text.toolLeftOut(server, shortened(tool.name)));
    return normal ?? [];
  });
  const prompts = raw.prompts.items.flatMap((prompt) => {
    const normal = normalPrompt(prompt);
    if (normal === null) note(text.promptLeftOut(server, shortened(prompt.name)));
    return normal ?? [];
  });
  const known = <Item>(name: string, normal: Item | null): Item | readonly [] => {
    if (normal === null) note(text.resourceLeftOut(server, shortened(name)));
    return normal ?? [];
  };
  const resources = raw.resources.items.flatMap((resource) => known(resource.name, normalResource(resource)));
  const once = <Item extends { readonly name: string }>(items: readonly Item[], key: (item: Item) => string): Item[] =>
    withoutRepeats(items, key, ({ name }) => note(text.sameName(server, name)));
  const first = <Item>(
    items: readonly Item[],
    kind: 'tools' | 'prompts' | 'resources' | 'templates',
  ): readonly Item[] => {
    const kept = items.slice(0, limits[kind]);
    if (kept.length < items.length || raw[kind].hasMore) note(text.tooMany(server, kept.length, text[kind]));
    return kept;
  };
  const nameOf = ({ name }: { readonly name: string }): string => name;
  const addressOf = ({ uri }: McpResource): string => uri;
  const templates = raw.templates.items.flatMap((template) => known(template.name, normalTemplate(template)));
  const patternOf = ({ uriTemplate }: McpTemplate): string => uriTemplate;
  const instructions = startOf((raw.instructions ?? '').trim(), limits.instructionCharacters);
  const catalog: McpCatalog = {
    tools: first(sorted(once(tools, nameOf), nameOf), 'tools'),
    prompts: first(sorted(once(prompts, nameOf), nameOf), 'prompts'),
    resources: first(
      sorted(once(resources, addressOf), ({ name, uri }) => `${name}\0${uri}`),
      'resources',
    ),
    ...(templates.length > 0 && {
      templates: first(sorted(once(templates, patternOf), patternOf), 'templates'),
    }),
    ...(instructions !== '' && { instructions }),
  };
  const size = byteLength(JSON.stringify(catalog));
  if (size > limits.offerBytes) throw new RemoteFailure('offer-too-large');
  return catalog;
}

function normalTool({ name, title, description = '', inputSchema, annotations }: RawTool): McpTool | null {
  const normalName = usableName(name);
  const schema = normalSchema(inputSchema);
  if (normalName === null || schema === null) return null;
  const shown = titleOf(title ?? annotations?.title);
  const hints = hintsOf(annotations);
  return {
    name: normalName,
    ...(shown !== '' && shown !== normalName && { title: shown }),
    description: cutDescription(description),
    inputSchema: schema,
    ...(hints !== null && { annotations: hints }),
  };
}

function titleOf(title: unknown): string {
  return typeof title === 'string' ? startOf(title.trim(), limits.titleCharacters) : '';
}

function hintsOf(annotations: PlainRecord = {}): McpTool['annotations'] | null {
  const hints = mcpHints.filter((hint) => typeof annotations[hint] === 'boolean');
  return hints.length === 0 ? null : Object.fromEntries(hints.map((hint) => [hint, annotations[hint]]));
}

function normalPrompt({ name, description, text, arguments: taken }: McpPrompt): McpPrompt | null {
  const normalName = usableName(name);
  if (normalName === null || (text.trim() === '' && taken === undefined)) return null;
  if (taken?.some((argument) => usableName(argument.name) === null)) return null;
  return { name: normalName, description: cutDescription(description), text, ...(taken && { arguments: taken }) };
}

function normalResource({ name, uri }: RawResource): McpResource | null {
  const normalName = usableName(name);
  const address = uri.trim();
  if (normalName === null || address === '' || address.length > limits.uriCharacters) return null;
  return { name: normalName, uri: address };
}

function normalTemplate({ name, uriTemplate }: RawTemplate): McpTemplate | null {
  const resource = normalResource({ name, uri: uriTemplate });
  return resource === null ? null : { name: resource.name, uriTemplate: resource.uri };
}

/** Returns null for a name over the limit: a shortened name would refer to nothing. */
function usableName(name: string): string | null {
  const trimmed = name.trim();
  return trimmed === '' || trimmed.length > limits.nameCharacters ? null : trimmed;
}

function cutDescription(description: string): string {
  return startOf(description.trim(), limits.descriptionCharacters);
}

function shortened(name: string): string {
  return startOf(name.trim(), limits.nameCharacters);
}

const refusedNames = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Returns the schema with members sorted by name, or null if it describes no object or exceeds the limits of size or
 * depth.
 */
function normalSchema(schema: PlainRecord): PlainRecord | null {
  if (schema.type !== 'object') return null;
  const normal = sortMembers(schema, limits.schemaLevels);
  if (!isRecord(normal) || JSON.stringify(normal).length > limits.schemaCharacters) return null;
  return normal;
}

/** @returns undefined if it is nested deeper or contains a refused name */
function sortMembers(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => sortMembers(item, levels - 1));
    return items.includes(undefined) ? undefined : items;
  }
  const members = Object.entries(value).map(([name, item]) => [name, sortMembers(item, levels - 1)] as const);
  if (members.some(([name, item]) => item === undefined || refusedNames.has(name))) return undefined;
  return Object.fromEntries(sorted(members, ([name]) => name));
}

/** Sorts in code unit order, which is the same on every device. */
function sorted<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...items].sort((a, b) => compareText(key(a), key(b)));
}

function withoutRepeats<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
  onRepeat: (item: Item) => void,
): Item[] {
  const seen = new Map<string, Item>();
  for (const item of items) {
    if (seen.has(key(item))) onRepeat(item);
    else seen.set(key(item), item);
  }
  return [...seen.values()];
}

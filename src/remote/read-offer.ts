/** Asks a server for the lists of what it offers, page by page, and for the text of each prompt. */
import type { McpOffer, McpPrompt } from '../core/ports/network';
import type { MCPClient } from './load-mcp';
import { limits } from './mcp-ports';
import { type Note, normalOffer, type RawResource, type RawTool } from './normal-offer';
import { isReported } from './remote-problem';

/** Asks within the time of a list; a session that has ended is begun anew. */
export type AskList = <Value>(run: (client: MCPClient, signal: AbortSignal) => Promise<Value>) => Promise<Value>;

interface ListedPrompt {
  readonly name: string;
  readonly description?: string;
}

/** @throws RemoteProblem, or what the library throws */
export async function readOffer(ask: AskList, server: string, note: Note): Promise<McpOffer> {
  const tools = await ask(listTools);
  const listed = await ask(listPrompts);
  const prompts = await ask((client, signal) => readTexts(client, listed, signal));
  const resources = await ask(listResources);
  return normalOffer({ tools, prompts, resources }, server, note);
}

function listTools(client: MCPClient, signal: AbortSignal): Promise<readonly RawTool[]> {
  if (client.initializeResult.capabilities.tools === undefined) return Promise.resolve([]);
  return allPages(limits.tools, async (params) => {
    const { tools, nextCursor } = await client.listTools({ params, options: { signal } });
    return { items: tools, nextCursor };
  });
}

/** Those that need nothing filled in. */
async function listPrompts(client: MCPClient, signal: AbortSignal): Promise<readonly ListedPrompt[]> {
  if (client.initializeResult.capabilities.prompts === undefined) return [];
  const prompts = await allPages(limits.prompts, async (params) => {
    const { prompts: items, nextCursor } = await client.listPrompts({ params, options: { signal } });
    return { items, nextCursor };
  });
  return prompts.filter((prompt) => !prompt.arguments?.some(({ required }) => required === true));
}

function listResources(client: MCPClient, signal: AbortSignal): Promise<readonly RawResource[]> {
  if (client.initializeResult.capabilities.resources === undefined) return Promise.resolve([]);
  return allPages(limits.resources, async (params) => {
    const { resources, nextCursor } = await client.listResources({ params, options: { signal } });
    return { items: resources, nextCursor };
  });
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** Ends early once there are more than can be taken. */
async function allPages<Item>(
  most: number,
  read: (params: { cursor: string } | undefined) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < limits.pages && found.length <= most; page++) {
    const { items, nextCursor } = await read(cursor === undefined ? undefined : { cursor });
    found.push(...items);
    if (nextCursor === undefined || nextCursor === '') break;
    cursor = nextCursor;
  }
  return found;
}

const asksAtOnce = 8;

/** One more than can be taken is enough to tell that there are more. */
async function readTexts(
  client: MCPClient,
  listed: readonly ListedPrompt[],
  signal: AbortSignal,
): Promise<readonly McpPrompt[]> {
  const wanted = listed.slice(0, limits.prompts + 1);
  const found: McpPrompt[] = [];
  for (let start = 0; start < wanted.length; start += asksAtOnce) {
    const some = wanted.slice(start, start + asksAtOnce);
    found.push(...(await Promise.all(some.map((prompt) => readText(client, prompt, signal)))));
  }
  return found;
}

/** A prompt that the server itself cannot give has no text. */
async function readText(
  client: MCPClient,
  { name, description = '' }: ListedPrompt,
  signal: AbortSignal,
): Promise<McpPrompt> {
  try {
    const { messages } = await client.getPrompt({ name, options: { signal } });
    const texts = messages.map(({ role, content }) =>
      role === 'user' && content.type === 'text' && typeof content.text === 'string' ? content.text : '',
    );
    return { name, description, text: texts.filter((text) => text.trim() !== '').join('\n\n') };
  } catch (thrown) {
    if (isReported(thrown)) return { name, description, text: '' };
    throw thrown;
  }
}

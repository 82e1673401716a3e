/** Keeps the registry true to the prompts of servers: there while their server is ready, gone as soon as it is not (R130). */
import type { PromptRegistry } from '../library/prompt-registry';
import type { McpPrompt } from '../ports/network';
import { plainLine } from './server-tools';

type Registry = Pick<PromptRegistry, 'register' | 'clearMcpPrompts' | 'get'>;

const tag = 'mcp';

/** A prompt whose id another one has is left out, so that none of a server stands in place of the user's. */
export function registerServerPrompts(
  registry: Registry,
  serverName: string,
  prompts: readonly McpPrompt[],
  registeredAt: number,
): void {
  registry.clearMcpPrompts(serverName);
  for (const { name, description, text } of prompts) {
    if (registry.get(`${serverName}/${name}`) !== undefined) continue;
    registry.register({
      id: name,
      name: plainLine(name),
      description: plainLine(description),
      content: text,
      tags: [tag],
      source: 'mcp',
      serverName,
      registeredAt,
    });
  }
}

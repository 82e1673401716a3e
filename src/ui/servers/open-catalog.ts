/** Opens the catalog of an MCP server, or the form of one of its prompts; the code that draws them is imported only then. */
import type { App } from 'obsidian';
import type { RegisteredPrompt } from '../../core/library/prompt-registry';
import type { McpAccess } from '../../core/ports/network';
import type { Mention } from '../../core/session/entry';

export async function openCatalog(app: App, servers: McpAccess, name: string): Promise<void> {
  const { CatalogModal } = await import('./catalog');
  new CatalogModal(app, servers, name).open();
}

export async function openPromptForm(app: App, servers: McpAccess, prompt: RegisteredPrompt): Promise<Mention | null> {
  const { askForArguments } = await import('./prompt-arguments');
  return askForArguments(app, servers, prompt);
}

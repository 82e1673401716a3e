/** Opens the catalog of an MCP server; the code that draws it is imported only then. */
import type { App } from 'obsidian';
import type { McpAccess } from '../../core/ports/network';

export async function openCatalog(app: App, servers: McpAccess, name: string): Promise<void> {
  const { CatalogModal } = await import('./catalog');
  new CatalogModal(app, servers, name).open();
}

/** Opens the look at what a server offers; what draws it is only run then. */
import type { App } from 'obsidian';
import type { McpAccess } from '../../core/ports/network';

export async function openCatalog(app: App, servers: McpAccess, name: string): Promise<void> {
  const { CatalogModal } = await import('./catalog');
  new CatalogModal(app, servers, name).open();
}

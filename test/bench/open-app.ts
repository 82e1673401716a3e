/** Opens an emulated Obsidian over an adapter, outside a browser, and waits until its index is complete. */
import './realm';
import type { App } from '../workbench/src/obsidian/app/app';
import { bootEmulator, type BootOptions } from '../workbench/src/obsidian/app/boot';
import type { EmulatedAdapter } from '../workbench/src/obsidian/vault/adapter';
import { createMemoryLocalStore } from '../workbench/src/obsidian/jest';

export async function openApp(adapter: EmulatedAdapter, options: Partial<BootOptions> = {}): Promise<App> {
  const app = await bootEmulator({
    document,
    adapter,
    plugins: [],
    chaosSeed: null,
    phone: false,
    localStore: createMemoryLocalStore(),
    savesLayout: false,
    ...options,
  });
  await app.metadataCache.indexed();
  return app;
}

export async function closeApp(app: App): Promise<void> {
  await app.close();
  document.body.replaceChildren();
}

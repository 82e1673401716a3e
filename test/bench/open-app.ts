/** Opens an emulated Obsidian over an adapter, outside a browser, and waits until its index is complete. */
import './realm';
import { createTestApp, type EmulatedAdapter, type TestApp, type TestAppOptions } from 'obsidian-workbench/jest';

export { closeTestApp as closeApp } from 'obsidian-workbench/jest';

export async function openApp(adapter: EmulatedAdapter, options: TestAppOptions = {}): Promise<TestApp> {
  const app = await createTestApp({ adapter, savesLayout: false, ...options });
  await app.metadataCache.indexed();
  return app;
}

/** Makes a folder and those above it by the adapter, for files that the app keeps no index of. */
import type { DataAdapter } from 'obsidian';

export async function makeFolders(adapter: Pick<DataAdapter, 'exists' | 'mkdir'>, folder: string): Promise<void> {
  if (await adapter.exists(folder)) return;
  let path = '';
  for (const segment of folder.split('/')) {
    path = path === '' ? segment : `${path}/${segment}`;
    if (!(await adapter.exists(path))) await adapter.mkdir(path);
  }
}

/** Makes new notes and folders under the first free name. */
import { TFile, TFolder } from '../vault/files';
import type { App } from './app';

async function findFreePath(app: App, folder: TFolder, name: string, extension: string): Promise<string> {
  const prefix = folder.isRoot() ? '' : `${folder.path}/`;
  for (let number = 0; ; number += 1) {
    const path = `${prefix}${name}${number === 0 ? '' : ` ${number}`}${extension}`;
    if (!(await app.vault.adapter.exists(path))) return path;
  }
}

export async function createNote(app: App, folder?: TFolder): Promise<TFile> {
  const parent = folder ?? app.fileManager.getNewFileParent(app.workspace.getActiveFile()?.path ?? '');
  const file = await app.vault.create(await findFreePath(app, parent, 'Untitled', '.md'), '');
  await app.workspace.getLeaf(false).openFile(file);
  return file;
}

export async function createFolder(app: App, parent: TFolder): Promise<TFolder> {
  return app.vault.createFolder(await findFreePath(app, parent, 'Untitled', ''));
}

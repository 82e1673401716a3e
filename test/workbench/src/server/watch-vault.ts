/** Reports which paths of the vault changed on disk, each at most once in a short window. */
import { lstatSync, readdirSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { isUnlisted } from './vault-listing';

const windowMs = 40;

export interface VaultWatch {
  close(): void;
}

export function watchVault(vault: string, onChange: (changed: string) => void): VaultWatch {
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const announce = (changed: string): void => {
    if (changed.split('/').some(isUnlisted)) return;
    pending.add(changed);
    timer ??= setTimeout(() => {
      timer = undefined;
      const paths = [...pending];
      pending.clear();
      paths.forEach(onChange);
    }, windowMs);
  };
  const close = process.platform === 'linux' ? watchFolders(vault, announce) : watchWhole(vault, announce);
  return {
    close() {
      clearTimeout(timer);
      close();
    },
  };
}

function watchWhole(vault: string, announce: (changed: string) => void): () => void {
  const watcher = watch(vault, { recursive: true }, (_kind, name) => {
    if (name !== null) announce(name.split(path.sep).join('/'));
  });
  watcher.on('error', () => watcher.close());
  return () => watcher.close();
}

/**
 * One watch a folder. Node's own recursive watch on Linux holds one a file, which a large vault cannot afford, and
 * misses files that appear in a folder before it is watched.
 */
function watchFolders(vault: string, announce: (changed: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();

  const forget = (folder: string): void => {
    for (const [watched, watcher] of watchers) {
      if (watched !== folder && !watched.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  };

  const follow = (folder: string, announceContents: boolean): void => {
    const absolute = path.join(vault, folder);
    try {
      const watcher = watch(absolute, (kind, name) => {
        if (name !== null) onEvent(join(folder, name), kind);
      });
      watcher.on('error', () => forget(folder));
      watchers.set(folder, watcher);
      for (const entry of readdirSync(absolute, { withFileTypes: true })) {
        const child = join(folder, entry.name);
        if (announceContents) announce(child);
        if (entry.isDirectory() && !isUnlisted(entry.name)) follow(child, announceContents);
      }
    } catch {
      // The folder is gone again, or the system allows no further watches: its changes are not told.
    }
  };

  const onEvent = (changed: string, kind: string): void => {
    announce(changed);
    if (kind !== 'rename' || isUnlisted(path.basename(changed))) return;
    // A moved folder keeps its watch under the old name, so each appearance starts a new watch.
    forget(changed);
    const stats = lstatSync(path.join(vault, changed), { throwIfNoEntry: false });
    if (stats?.isDirectory()) follow(changed, true);
  };

  follow('', false);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

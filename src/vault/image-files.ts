/** ImageFiles over visible files: `<agent folder>/chats/<conversation>/<digest>.<format>`, so that they go where the chat goes. */
import { type DataAdapter, normalizePath, type Vault } from 'obsidian';
import { fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import type { ImageFiles, ImageReference, ImageType } from '../core/ports/message';
import { words } from '../text';
import { makeFolders } from './make-folders';

/** Hex digits of the digest that name a file. */
const nameLength = 32;

const ends: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

export interface ChatImages extends ImageFiles {
  /** Where the file of a picture is, or would be. */
  pathOf(image: ImageReference): string;
  /** The app's own address of that file, for showing it. */
  addressOf(image: ImageReference): string;
  /** The app's own address of any file of the vault; null when there is none. */
  addressOfFile(path: string): string | null;
}

/** @param folder folder of all conversations, asked anew at each use since the user may move it */
export function imageFilesOf(vault: Vault, folder: () => string): ChatImages {
  const { adapter } = vault;
  const pathOf = ({ conversation, digest, mediaType }: ImageReference): string =>
    normalizePath(`${folder()}/${plain(conversation)}/${plain(digest).slice(0, nameLength)}.${ends[mediaType]}`);
  return {
    pathOf,
    addressOf: (image) => adapter.getResourcePath(pathOf(image)),
    addressOfFile: (path) => {
      const file = vault.getFileByPath(path);
      return file === null ? null : vault.getResourcePath(file);
    },
    write: (image, bytes) => writeOnce(adapter, pathOf(image), bytes),
    read: async (image) => {
      try {
        const bytes = new Uint8Array(await adapter.readBinary(pathOf(image)));
        return bytes.length === image.bytes ? bytes : null;
      } catch {
        return null;
      }
    },
    remove: async (image) => {
      try {
        if (await adapter.exists(pathOf(image))) await adapter.remove(pathOf(image));
      } catch {
        // A file too many harms nobody.
      }
    },
  };
}

/** A log that another program wrote may hold anything: no reference leads out of the folder. */
function plain(name: string): string {
  return name.replace(/[^\w-]/g, '');
}

async function writeOnce(adapter: DataAdapter, path: string, bytes: Uint8Array): Promise<Outcome<void>> {
  try {
    const known = await adapter.stat(path);
    if (known?.size === bytes.length) return succeed(undefined);
    await makeFolders(adapter, path.slice(0, path.lastIndexOf('/')));
    await adapter.writeBinary(path, bytes.slice().buffer);
    return succeed(undefined);
  } catch (thrown) {
    const { notStored, notStoredRemedy } = words.images;
    return fail({ kind: 'storage', words: `${notStored} (${messageOf(thrown)})`, remedy: notStoredRemedy });
  }
}

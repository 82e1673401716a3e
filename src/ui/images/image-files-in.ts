/** The pictures among what was pasted, dropped or chosen. */
import type { ImageFile } from '../../core/images/prepare-image';
import { words } from '../../text';

/** What browsers call a picture that was copied and has no file. */
const nameless = /^(?:image\.(?:png|jpe?g|gif|webp))?$/i;

export function imageFilesIn(transfer: DataTransfer | null): File[] {
  return [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** Whether what is being dragged may hold a picture: what files there are is only told when they are dropped. */
export function holdsFiles(transfer: DataTransfer | null): boolean {
  return [...(transfer?.types ?? [])].includes('Files');
}

/** A copied passage may bring a picture of itself along; a copied file brings its name. */
export function isPictureMeant(transfer: DataTransfer | null): boolean {
  const text = transfer?.getData('text/plain') ?? '';
  return text === '' || imageFilesIn(transfer).some(({ name }) => text.includes(name));
}

/** @param count of pictures that were pasted before */
export async function readImageFile(file: File, count: number): Promise<ImageFile> {
  const name = nameless.test(file.name) ? words.images.pasted(count + 1) : file.name;
  return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** The path that the app gives with a file of the vault when that is dragged out of its list; null for anything else. */
export function draggedPath(transfer: DataTransfer | null): string | null {
  const address = transfer?.getData('text/uri-list') || transfer?.getData('text/plain') || '';
  if (!/^obsidian:\/\/open\?/.test(address)) return null;
  return new URL(address.split('\n')[0] ?? '').searchParams.get('file');
}

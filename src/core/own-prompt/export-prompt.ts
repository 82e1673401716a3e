/** Puts a system prompt into a file: asked for outside the vault, and asked before something else is replaced (R043-R046). */
import type { DeviceStorage, Digest } from '../ports/device';
import { type Outcome, succeed } from '../ports/failure';
import { allowOutside, allowsOutside } from './outside-consent';
import { type PlacePorts, readText, type TextPlace, writeText } from './text-files';

export interface ExportPorts extends PlacePorts {
  readonly device: DeviceStorage;
  readonly digest: Digest;
  /** Whether this file outside the vault may be written. */
  confirmOutside(path: string): Promise<boolean>;
  /** Whether what stands there may be replaced. */
  confirmOverwrite(path: string): Promise<boolean>;
}

export interface Exported {
  readonly path: string;
  /** False when the user wanted what stood there to stay. */
  readonly isWritten: boolean;
}

/** @param trustsOwn whether a file that is still as Docent wrote it may be replaced without asking */
export async function exportPrompt(
  place: TextPlace,
  text: string,
  ports: ExportPorts,
  trustsOwn = false,
): Promise<Outcome<Exported>> {
  const { path } = place;
  const keep: Outcome<Exported> = succeed({ path, isWritten: false });
  if (place.kind === 'outside' && !allowsOutside(ports.device, path)) {
    if (!(await ports.confirmOutside(path))) return keep;
    allowOutside(ports.device, path);
  }
  const there = await readText(place, ports);
  if (!there.ok) return there;
  if (there.value === text) return succeed({ path, isWritten: true });
  const isOwn = trustsOwn && there.value !== null && ports.device.get(writtenKey(path)) === ports.digest(there.value);
  if (there.value !== null && !isOwn && !(await ports.confirmOverwrite(path))) return keep;
  const written = await writeText(place, text, ports);
  if (!written.ok) return written;
  ports.device.set(writtenKey(path), ports.digest(text));
  return succeed({ path, isWritten: true });
}

function writtenKey(path: string): string {
  return `exported ${path}`;
}

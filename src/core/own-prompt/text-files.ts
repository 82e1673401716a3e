/**
 * TextFiles: notes that Docent creates at the user's request; an existing file is replaced only after the user
 * confirms.
 */
import type { Computer, DeviceStorage } from '../ports/device';
import type { Outcome } from '../ports/failure';
import type { OverridePlace } from '../prompt/override';

/** Files of the vault that the agent has no access to. */
export interface TextFiles {
  /** Resolves to null if there is no such file. */
  read(path: string): Promise<Outcome<string | null>>;
  /** Creates missing parent folders and replaces an existing file. */
  write(path: string, text: string): Promise<Outcome<void>>;
}

export type TextPlace = Exclude<OverridePlace, { readonly kind: 'off' }>;

export interface PlacePorts {
  readonly computer: Computer | null;
  readonly files: TextFiles;
}

/** Resolves to null if there is no such file. */
export async function readText(
  { kind, path }: TextPlace,
  { computer, files }: PlacePorts,
): Promise<Outcome<string | null>> {
  if (kind === 'vault') return files.read(path);
  if (computer === null || !(await computer.exists(path))) return { ok: true, value: null };
  return computer.read(path);
}

export function writeText(
  { kind, path }: TextPlace,
  text: string,
  { computer, files }: PlacePorts,
): Promise<Outcome<void>> {
  return kind === 'outside' && computer !== null ? computer.write(path, text) : files.write(path, text);
}

/** Key of an allowed file outside the vault. Stored on the device, since other devices have other files (R029). */
const keyOf = (path: string): string => `outside ${path}`;

export function allowsOutside(device: DeviceStorage, path: string): boolean {
  return device.get(keyOf(path)) !== null;
}

export function allowOutside(device: DeviceStorage, path: string): void {
  device.set(keyOf(path), 'allowed');
}

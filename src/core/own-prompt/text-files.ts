/** TextFiles: notes that the user has Docent make, written only after the user's word where something stands there already. */
import type { Computer, DeviceStorage } from '../ports/device';
import type { Outcome } from '../ports/failure';
import type { OverridePlace } from '../prompt/override';

/** Files of the vault, which the agent has no part in. */
export interface TextFiles {
  /** Null when there is no such file. */
  read(path: string): Promise<Outcome<string | null>>;
  /** Makes the folders above it; replaces what stands there. */
  write(path: string, text: string): Promise<Outcome<void>>;
}

export type TextPlace = Exclude<OverridePlace, { readonly kind: 'off' }>;

export interface PlacePorts {
  readonly computer: Computer | null;
  readonly files: TextFiles;
}

/** Null when nothing stands there. */
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

// Which files outside the vault the user let Docent use; kept on the device, since another one has other files (R029).

const keyOf = (path: string): string => `outside ${path}`;

export function allowsOutside(device: DeviceStorage, path: string): boolean {
  return device.get(keyOf(path)) !== null;
}

export function allowOutside(device: DeviceStorage, path: string): void {
  device.set(keyOf(path), 'allowed');
}

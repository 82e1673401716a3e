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

/**
 * Creates a file if there is none, and returns whether it did. It looks again once the text is made: that may take a
 * while, in which a sync service or the user may have created the file.
 * @param isFree whether the text of a file may be replaced; unless given, no file may
 */
export async function createText(
  place: TextPlace,
  makeText: () => Promise<Outcome<string>>,
  ports: PlacePorts,
  isFree: (text: string) => boolean = () => false,
): Promise<Outcome<boolean>> {
  const there = await readText(place, ports);
  if (!there.ok) return there;
  if (there.value !== null && !isFree(there.value)) return { ok: true, value: false };
  const text = await makeText();
  if (!text.ok) return text;
  const now = await readText(place, ports);
  if (!now.ok) return now;
  if (now.value !== null && !isFree(now.value)) return { ok: true, value: false };
  const written = await writeText(place, text.value, ports);
  return written.ok ? { ok: true, value: true } : written;
}

/** Key of an allowed file outside the vault. Stored on the device, since other devices have other files (R029). */
const keyOf = (path: string): string => `outside ${path}`;

export function allowsOutside(device: DeviceStorage, path: string): boolean {
  return device.get(keyOf(path)) !== null;
}

interface OutsidePorts {
  readonly device: DeviceStorage;
  /** Asks whether this file outside the vault may be used. */
  confirmOutside(path: string): Promise<boolean>;
}

/** Whether a file may be used. Asks once about each that is outside the vault. */
export async function mayUse({ kind, path }: TextPlace, ports: OutsidePorts): Promise<boolean> {
  if (kind !== 'outside' || allowsOutside(ports.device, path)) return true;
  if (!(await ports.confirmOutside(path))) return false;
  ports.device.set(keyOf(path), 'allowed');
  return true;
}

/** Which files outside the vault the user let Docent use; kept on the device, since another one has other files (R029). */
import type { DeviceStorage } from '../ports/device';

const keyOf = (path: string): string => `outside ${path}`;

export function allowsOutside(device: DeviceStorage, path: string): boolean {
  return device.get(keyOf(path)) !== null;
}

export function allowOutside(device: DeviceStorage, path: string): void {
  device.set(keyOf(path), 'allowed');
}

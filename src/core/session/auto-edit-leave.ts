/** Leave to edit without asking is kept on the device: a log is a file of the vault, which anyone may write (H11). */
import type { DeviceStorage } from '../ports/device';
import type { ChatChoices } from './entry';

/** Takes note of what the user has chosen on this device for a chat. */
export function rememberLeave(device: DeviceStorage, conversation: string, { permission }: ChatChoices): void {
  if (permission !== undefined) device.set(keyOf(conversation), permission === 'auto-edit' ? 'given' : null);
}

export function hasLeave(device: Pick<DeviceStorage, 'get'> | undefined, conversation: string): boolean {
  return device?.get(keyOf(conversation)) === 'given';
}

function keyOf(conversation: string): string {
  return `auto-edit:${conversation}`;
}

/** How requests leave the device, whatever asks: nothing but what is meant goes along, and nobody is followed elsewhere. */

/** A request by the app's own function: no cross-origin rule holds it up, but nothing streams or can be cancelled. */
export interface WholeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly throw: false;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly arrayBuffer: ArrayBuffer;
}

const thisDevice: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** @param hostname as URL spells it */
export function isThisDevice(hostname: string): boolean {
  return thisDevice.includes(hostname);
}

/** Redirects are not followed: what is sent was meant for one origin. */
export const strictFetch = {
  redirect: 'manual',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const;

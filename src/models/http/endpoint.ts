/** Resolves where a request may go and with which key, before anything is sent. */
import { fail, type Outcome, succeed } from '../../core/ports/failure';
import { words } from '../../text';
import type { ProviderRow } from '../providers/provider';
import type { Limits } from './connection';
import { type Endpoint, failureOf } from './model-failure';
import { wireFormats } from './wire-format';

interface PlaceSettings {
  readonly row: ProviderRow;
  readonly baseUrl: string;
  readonly key: (origin: string) => string | null;
  readonly modelName: string;
  readonly limits: Limits;
}

const text = words.models;
/** The characters that a header carries unchanged. */
const sendableKey = /^[\x21-\x7e]+$/;

/**
 * Resolves address and key. The key is read by the origin of the request, so a changed address never gets another's
 * key.
 */
export function resolveEndpoint({ row, baseUrl, key, modelName, limits }: PlaceSettings): Outcome<Endpoint> {
  const label = text.labels[row.labelKey];
  const address = withoutEnd(baseUrl.trim() || row.baseUrl, row.needlessPath);
  if (address === '') {
    return fail(failureOf('configuration', text.addressMissing(label), text.addressRemedy, 'open-settings'));
  }
  const origin = originOf(address);
  if (origin === null) {
    return fail(failureOf('configuration', text.addressInvalid(label), text.addressRemedy, 'open-settings'));
  }
  const secret = key(origin)?.trim() || null;
  if (secret === null && row.keyNeeded) {
    return fail(failureOf('authentication', text.keyMissing(label, origin), text.keyMissingRemedy, 'open-settings'));
  }
  if (secret !== null && !sendableKey.test(secret)) {
    return fail(failureOf('authentication', text.keyUnusable(label), text.keyUnusableRemedy, 'open-settings'));
  }
  return succeed({ row, baseUrl: address, origin, modelName, secret, limits });
}

function withoutEnd(address: string, needless: RegExp | undefined): string {
  const plain = address.replace(/\/+$/, '');
  return needless === undefined ? plain : plain.replace(needless, '');
}

/** Returns the headers for a request to this origin; a request to any other origin carries no key. */
export function headersFor(place: Endpoint, origin: string): Record<string, string> {
  return wireFormats[place.row.format].headers(origin === place.origin ? place.secret : null);
}

/** Returns null for anything but a plain web address; an address with a password would send that along. */
function originOf(address: string): string | null {
  try {
    const url = new URL(address);
    const plain = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
    return plain ? url.origin : null;
  } catch {
    return null;
  }
}

/** Resolves where a request goes and with which key, before anything is sent. */
import { hasQueryOrFragment, readWebAddress } from '../../core/gate/address';
import { type Admission, isSamePlace } from '../../core/gate/gate';
import { fail, type Outcome, succeed } from '../../core/ports/failure';
import { words } from '../../text';
import type { ProviderRow } from '../providers/provider';
import type { Limits } from './connection';
import { type Endpoint, failureOf } from './model-failure';
import { wireFormats } from './wire-format';

/** Returns what a request to this address may carry, or why nothing may be sent there. */
export type Admit = (address: string) => Outcome<Admission>;

interface PlaceSettings {
  readonly row: ProviderRow;
  readonly baseUrl: string;
  readonly admit: Admit;
  readonly modelName: string;
  readonly limits: Limits;
}

const text = words.models;
/** The characters that a header carries unchanged. */
const sendableKey = /^[\x21-\x7e]+$/;

/** Whether a header can carry this key. */
export function isSendableKey(key: string): boolean {
  return sendableKey.test(key);
}

/** Resolves address and key, as the gate admits them. */
export function resolveEndpoint({ row, baseUrl, admit, modelName, limits }: PlaceSettings): Outcome<Endpoint> {
  const label = text.labels[row.labelKey];
  const address = addressOf(row, baseUrl);
  if (address === '') {
    return fail(failureOf('configuration', text.addressMissing(label), text.addressRemedy, 'open-settings'));
  }
  if (hasQueryOrFragment(address)) {
    return fail(failureOf('configuration', text.addressTail(label), text.addressTailRemedy, 'open-settings'));
  }
  const admitted = admit(address);
  if (!admitted.ok) return admitted;
  const { origin, secret } = admitted.value;
  if (secret === null && row.keyNeeded) {
    return fail(failureOf('authentication', text.keyMissing(label, origin), text.keyMissingRemedy, 'open-settings'));
  }
  if (secret !== null && !isSendableKey(secret)) {
    return fail(failureOf('authentication', text.keyUnusable(label), text.keyUnusableRemedy, 'open-settings'));
  }
  return succeed({ row, baseUrl: address, origin, modelName, secret, limits });
}

/** Ends of full addresses, as documentation and other programs have them: the formats add their own. */
const endpoint = /\/+(?:(?:chat\/+)?completions|responses|messages)$/i;
/** Only after a version, since the address of a server may itself end in `models`. */
const modelEndpoint = /(\/v\d[^/]*)\/+models(?:\/[^/]+:\w+)?$/i;

/**
 * Returns the address that requests begin with; empty if none is set and the row has none. The row's host gets its path,
 * and a full address loses what the format adds.
 */
export function addressOf(row: Pick<ProviderRow, 'baseUrl' | 'needlessPath'>, baseUrl: string): string {
  const base = withoutEnd(baseUrl.trim() || row.baseUrl, endpoint).replace(modelEndpoint, '$1');
  const address = withoutEnd(base, row.needlessPath);
  const entered = /^https?:\/\/[^/]+$/i.test(address) ? readWebAddress(address) : 'invalid';
  if (typeof entered === 'string' || !isSamePlace(row.baseUrl, entered)) return address;
  return address + withoutEnd(new URL(row.baseUrl).pathname, undefined);
}

function withoutEnd(address: string, needless: RegExp | undefined): string {
  const plain = address.replace(/\/+$/, '');
  return needless === undefined ? plain : plain.replace(needless, '');
}

/** Returns the headers for a request to this origin; a request to any other origin carries no key. */
export function headersFor(place: Endpoint, origin: string): Record<string, string> {
  return wireFormats[place.row.format].headers(origin === place.origin ? place.secret : null);
}

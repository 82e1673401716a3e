/** Checks of what is entered for a server; each says in words what is wrong, or null. */
import { isThisDevice, serverName } from '../../core/ports/network';
import { words } from '../../text';

const say = words.serverPane.form;

/** @param others names of the other servers */
export function findNameProblem(name: string, others: readonly string[]): string | null {
  if (!serverName.test(name)) return say.nameBad;
  const isTaken = others.some((other) => other.toLowerCase() === name.toLowerCase());
  return isTaken ? say.nameTaken : null;
}

export function findAddressProblem(address: string): string | null {
  const url = /^https?:\/\/[^\s\\]+$/i.test(address) ? parse(address) : null;
  if (url === null) return say.urlBad;
  if (url.username !== '' || url.password !== '') return say.urlCredentials;
  return url.protocol === 'https:' || isThisDevice(url.hostname) ? null : say.urlPlain;
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

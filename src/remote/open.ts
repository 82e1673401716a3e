/** Opens connections to MCP servers, over HTTP only, at addresses that pass the checks below. */
import { type Failure, fail, type Outcome, succeed } from '../core/ports/failure';
import { type ConnectMcp, isThisDevice, type McpServerChoice } from '../core/ports/network';
import { words } from '../text';
import { HttpMcpConnection } from './mcp-connection';
import { type McpPorts, redactorOf } from './mcp-ports';
import { createSender } from './send-request';

/** Returns a function that connects to a server; nothing is sent before address and key pass their checks. */
export function openMcp(ports: McpPorts): ConnectMcp {
  return async (choice, signal) => {
    const address = readAddress(choice.name, choice.url);
    if (!address.ok) return address;
    const url = address.value;
    const found = readKey(ports, choice, url);
    if (!found.ok) return found;
    const key = found.value;
    const connection = new HttpMcpConnection({
      server: { name: choice.name, host: url.host, hasKey: key !== null },
      way: createSender(ports, url),
      key,
      redactKey: redactorOf(key),
      timing: ports.timing,
      version: ports.version,
      note: ports.note ?? (() => undefined),
    });
    return connection.open(signal);
  };
}

/** The characters that a header can carry. */
const keyShape = /^[\x21-\x7e]+$/;

function readKey(ports: McpPorts, { name, keyName }: McpServerChoice, url: URL): Outcome<string | null> {
  if (keyName === '') return succeed(null);
  const text = words.remote;
  const key = ports.key(keyName, url.href)?.trim() ?? '';
  const refuse = (said: string, remedy: string): Outcome<null> =>
    fail({ kind: 'authentication', words: said, remedy, action: 'open-settings' });
  if (key === '') return refuse(text.keyMissing(name, url.origin), text.keyMissingRemedy);
  if (!keyShape.test(key)) return refuse(text.keyUnusable(name), text.keyUnusableRemedy);
  return succeed(key);
}

// Checks which addresses are allowed: public hosts over HTTPS, and this device itself.

/** Host names that only resolve inside one network; a page cannot resolve a name to check its address. */
const innerName = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/;

/** Returns the address without its fragment, or why nothing may be sent there. */
export function readAddress(server: string, address: string): Outcome<URL> {
  const text = words.remote;
  const url = parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return refuse(text.addressInvalid(server));
  if (url.username !== '' || url.password !== '') return refuse(text.addressLogin(server), text.addressLoginRemedy);
  url.hash = '';
  if (isThisDevice(url.hostname)) return succeed(url);
  if (isInner(url.hostname)) return refuse(text.addressPrivate(server, url.host));
  return url.protocol === 'https:' ? succeed(url) : refuse(text.addressOpen(server));
}

function parse(address: string): URL | null {
  try {
    return new URL(address.trim());
  } catch {
    return null;
  }
}

function refuse(said: string, remedy: string = words.remote.addressRemedy): Outcome<URL> {
  const failure: Failure = { kind: 'configuration', words: said, remedy, action: 'open-settings' };
  return fail(failure);
}

/** @param host as URL spells it: decimal, octal and short forms of an address are already dotted, IPv6 is compressed */
function isInner(host: string): boolean {
  if (host.startsWith('[')) return !isPublic6(host.slice(1, -1));
  if (/^\d+(?:\.\d+){3}$/.test(host)) return isInner4(host.split('.').map(Number));
  const name = host.replace(/\.$/, '').toLowerCase();
  return !name.includes('.') || innerName.test(name);
}

/**
 * First byte, and the range of the second, of addresses that the IANA special-purpose registry excludes from the public
 * internet.
 */
const privateRanges4: readonly (readonly [number, number, number])[] = [
  [0, 0, 255],
  [10, 0, 255],
  [100, 64, 127],
  [127, 0, 255],
  [169, 254, 254],
  [172, 16, 31],
  [192, 0, 0],
  [192, 168, 168],
  [198, 18, 19],
];

function isInner4([first = 0, second = 0]: readonly number[]): boolean {
  return first >= 224 || privateRanges4.some(([byte, from, to]) => byte === first && second >= from && second <= to);
}

/** Accepts only global unicast, without the ranges that wrap an IPv4 address or a tunnel. */
function isPublic6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':').map((group) => parseInt(group === '' ? '0' : group, 16));
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  return first !== 0x2001 || second > 0x01ff;
}

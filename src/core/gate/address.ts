/**
 * Addresses: which web address a text is, and how far a request to it goes: to this device, into a private network, or
 * to the internet. Nothing is resolved, because a page can't ask for the address behind a name: a public name that
 * points into a private network is known only if it says so itself.
 */

/** How far a request goes. Everything that isn't known to be public counts as a private network. */
export type Reach = 'device' | 'network' | 'internet';

export interface WebAddress {
  /** Without its fragment. */
  readonly url: URL;
  /** In the spelling of `URL`, so that it can be compared and shown. */
  readonly origin: string;
  readonly reach: Reach;
}

/** Why nothing may be sent to an address; 'plain' is an unencrypted one beyond this device. */
export type AddressProblem = 'invalid' | 'login' | 'plain';

/** The maximum length of a name of the internet. */
const maxNameLength = 253;

/** Reads an address that a request may go to. */
export function readWebAddress(text: string): WebAddress | AddressProblem {
  const url = parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname.length > maxNameLength) return 'invalid';
  if (url.username !== '' || url.password !== '') return 'login';
  url.hash = '';
  const reach = reachOf(url.hostname);
  return url.protocol === 'http:' && reach !== 'device' ? 'plain' : { url, origin: url.origin, reach };
}

/** Returns the origin of an address; null for what is no web address. */
export function originOf(address: string): string | null {
  const read = readWebAddress(address);
  return typeof read === 'string' ? null : read.origin;
}

/** Whether two texts are the same address but for one slash at the end, which many leave out. */
export function isSameAddress(one: unknown, other: string): boolean {
  return typeof one === 'string' && parse(one) !== null && one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

/** Whether a text has a `?` or `#`, behind which the path that a request adds would not be one. */
export function hasQueryOrFragment(address: string): boolean {
  return /[?#]/.test(address);
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const thisDevice: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** @param hostname in the spelling of `URL` */
function isThisDevice(hostname: string): boolean {
  return thisDevice.includes(hostname);
}

/**
 * Returns how far a request to this host goes.
 * @param hostname in the spelling of `URL`: decimal, octal, and short forms of an address are dotted, IPv6 is compressed
 */
export function reachOf(hostname: string): Reach {
  if (isThisDevice(hostname)) return 'device';
  return isPublicHost(hostname) ? 'internet' : 'network';
}

function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublic6(hostname.slice(1, -1));
  if (hostname.length > maxNameLength + 1) return false;
  const name = hostname.replace(/\.$/, '').toLowerCase();
  const bytes = readBytes(name.split('.'));
  return bytes === null ? isPublicName(name) : isPublic4(bytes);
}

/**
 * Ends of names that aren't names of the internet: reserved by RFC 2606, 6761, 6762, 7686, 8375, and 9476 or by ICANN
 * for private use, or so common inside networks that they are never delegated.
 */
const innerEnds: ReadonlySet<string> = new Set(
  (
    'localhost local internal intranet lan home home.arpa corp mail localdomain domain private priv test invalid ' +
    'onion alt ip workgroup router gateway dlink belkin in-addr.arpa ip6.arpa'
  ).split(' '),
);

/** Names that home routers answer to, inside their network only. */
const routerNames: readonly string[] = (
  'fritz.box fritz.nas fritz.repeater easy.box o2.box congstar.box homerouter.cpe routerlogin.net routerlogin.com ' +
  'orbilogin.com orbilogin.net mywifiext.net tplinkwifi.net tplinklogin.net tplinkrepeater.net router.asus.com ' +
  'asusrouter.com repeater.asus.com linksyssmartwifi.com miwifi.com tendawifi.com'
).split(' ');

/** Public services whose names resolve to an address that the name contains, or to this device. */
const resolvingNames: readonly string[] = (
  'nip.io sslip.io xip.io xip.name backname.io traefik.me localtest.me lvh.me vcap.me lacolhost.com localho.st ' +
  'fuf.me lndo.site ddev.site local.gd localhost.direct local-ip.co local-ip.sh plex.direct rbndr.us 1u.ms lcl.host'
).split(' ');

const innerNames: ReadonlySet<string> = new Set([...routerNames, ...resolvingNames]);

function isPublicName(name: string): boolean {
  if (name.length > maxNameLength) return false;
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  for (let start = 0; start < labels.length; start++) {
    const end = labels.slice(start).join('.');
    if (innerEnds.has(end) || innerNames.has(end)) return false;
  }
  return !namesPrivateAddress(name);
}

/** Whether a name contains a private address as labels or with hyphens, as in `10-0-0-1.example.com`. */
function namesPrivateAddress(name: string): boolean {
  const parts = name.split(/[.-]/);
  return parts.some((_, at) => {
    const bytes = readBytes(parts.slice(at, at + 4));
    return bytes !== null && !isPublic4(bytes);
  });
}

function readBytes(parts: readonly string[]): readonly number[] | null {
  const isAddress = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
  return isAddress ? parts.map(Number) : null;
}

/** First and last address of what the IANA special-purpose registry excludes from the public internet (2026-11). */
const specialRanges4: readonly (readonly [number, number])[] = (
  [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 16],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    // Multicast, reserved, and broadcast.
    ['224.0.0.0', 3],
  ] as const
).map(([address, bits]) => {
  const first = numberOf(address.split('.').map(Number));
  return [first, first + 2 ** (32 - bits) - 1];
});

function isPublic4(bytes: readonly number[]): boolean {
  const address = numberOf(bytes);
  return !specialRanges4.some(([first, last]) => address >= first && address <= last);
}

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/**
 * Accepts only global unicast, without protocol assignments and tunnels (2001::/23), documentation (2001:db8::/32,
 * 3fff::/20), and 6to4 (2002::/16), which wraps an IPv4 address, as do the ranges outside of global unicast.
 */
function isPublic6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':').map((group) => parseInt(group === '' ? '0' : group, 16));
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  if (first === 0x2001 && (second <= 0x01ff || second === 0x0db8)) return false;
  return first !== 0x3fff || second > 0x0fff;
}

import {
  hasQueryOrFragment,
  isSameAddress,
  originOf,
  reachOf,
  readWebAddress,
} from '../../../../src/core/gate/address';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const reachAt = (address: string): string => {
  const read = readWebAddress(address);
  return typeof read === 'string' ? read : read.reach;
};

describe('how far a request to an address goes', () => {
  it.each([
    ...['http://localhost:11434', 'http://LOCALHOST:1234/v1', 'https://localhost/', 'http://127.0.0.1:8080'],
    // Other spellings of the same address.
    ...['http://2130706433/', 'http://0x7f000001/', 'http://0177.0.0.1/', 'http://127.1/', 'http://[::1]:8080/'],
    ...['http://[0:0:0:0:0:0:0:1]/', 'http://１２７.0.0.1/', 'http://127。0。0。1/', ' http://localhost:1234/v1 '],
    ...['http:\\\\localhost\\v1', 'http://%6c%6f%63%61%6c%68%6f%73%74/', 'http:localhost:1'],
  ])('%s stays on this device', (address) => {
    expect(reachAt(address)).toBe('device');
  });

  it.each([
    // Ranges, and their spellings.
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.168.1.1.', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '127.0.0.2', '127.255.255.254', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1'],
    ...['192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '3232235777', '0xc0a80101'],
    ...['0300.0250.01.01', '192.168.257', '10.1', '0xa.1', '１９２.168.1.1', '192。168。1。1', '0xCB007109'],
    ...['[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[fec0::1]', '[::]', '[::ffff:192.168.1.1]', '[::ffff:7f00:1]'],
    ...[
      '[::ffff:8.8.8.8]',
      '[::192.168.1.1]',
      '[64:ff9b::c0a8:101]',
      '[64:ff9b:1::1]',
      '[100::1]',
      '[2002:c0a8:101::]',
    ],
    ...['[2001::1]', '[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]', '[5f00::1]', '[ff02::1]', '[0:0:0:0:0:0:0:2]'],
    // Names.
    ...[
      'router',
      'nas',
      'localhost.',
      'LOCALHOST.',
      'api.localhost',
      'printer.local',
      'printer.local.',
      'PRINTER.LOCAL',
    ],
    ...['db.internal', 'metadata.google.internal', 'wiki.intranet', 'nas.lan', 'foo.home', 'nas.home.arpa', 'foo.corp'],
    ...['printer.localdomain', 'a.private', 'x.test', 'x.invalid', 'abc.onion', 'mail.mail', '1.168.192.in-addr.arpa'],
    ...['fritz.box', 'www.fritz.box', 'FRITZ.BOX.', 'speedport.ip', 'easy.box', 'tplinkwifi.net', 'router.asus.com'],
    ...[
      'localtest.me',
      'a.b.localtest.me',
      'lvh.me',
      'x.lvh.me',
      '127.0.0.1.nip.io',
      '10-0-0-1.nip.io',
      'c0a80101.nip.io',
    ],
    ...['192-168-1-1.sslip.io', 'www.192-168-1-1.sslip.io', '127-0-0-1.traefik.me', '7f000001.c0a80101.rbndr.us'],
    ...[
      '192-168-1-5.0123abcd.plex.direct',
      '127.0.0.1.evil.example',
      'ip-10-0-0-1.evil.example',
      'a.192.168.0.9.evil.example',
    ],
    ...['x-192-168-0-9-y.evil.example', 'ｆｒｉｔｚ.box', 'fritz。box', 'a..example.com', '.local'],
  ])('https://%s/ counts as a private network', (host) => {
    expect(reachAt(`https://${host}/`)).not.toBe('internet');
    expect(reachAt(`https://${host}/`)).not.toBe('device');
    expect(['plain', 'invalid']).toContain(reachAt(`http://${host}/`));
  });

  it.each([
    ...[
      'example.com',
      'api.openai.com',
      'evil.example',
      '8.8.8.8',
      '172.32.0.1',
      '172.15.0.1',
      '100.128.0.1',
      '9.9.9.9',
    ],
    ...[
      '192.1.0.1',
      '198.20.0.1',
      '198.51.101.1',
      '203.0.112.1',
      '203.0.114.1',
      '223.255.255.255',
      '[2606:4700::1111]',
    ],
    ...['[2000::1]', '[2001:200::1]', '[2001:db9::1]', '[3fff:1000::1]', '[2003::1]', 'local.example.com', 'lan.de'],
    // These only look like it.
    ...[
      'notlocaltest.me',
      'mynip.io',
      'nip.io.example.com',
      'fritz.box.example.com',
      'localhost.example.com',
      'home.pl',
    ],
    ...['8-8-8-8.example.com', '1-2-3.example.com', '256.0.0.1.example.com', 'corp.example', 'xn--bcher-kva.example'],
  ])('https://%s/ is on the internet, and takes no plain http', (host) => {
    expect(reachAt(`https://${host}/`)).toBe('internet');
    expect(reachAt(`http://${host}/`)).toBe('plain');
  });

  it.each([
    ...['', ' ', 'example.com', '//example.com', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)'],
    ...[
      'data:text/plain,x',
      'ws://localhost/',
      'blob:https://example.com/1',
      'app://obsidian.md/',
      'https://',
      'https://[::1',
    ],
    ...['https://exa mple.com/', 'https://256.256.256.256/', 'https://1.2.3.4.5/', 'http://999999999999/'],
  ])('%j is no web address', (address) => {
    expect(readWebAddress(address)).toBe('invalid');
    expect(originOf(address)).toBeNull();
  });

  it.each([
    'https://user@example.com/',
    'https://user:word@example.com/',
    'http://a:b@localhost/',
    'https://localhost@evil.example/',
  ])('%s has a login', (address) => expect(readWebAddress(address)).toBe('login'));

  it('reads the host that the request goes to, not the one that a reader may take for it', () => {
    expect(originOf('https://api.openai.com.evil.example/')).toBe('https://api.openai.com.evil.example');
    expect(originOf('https:\\\\evil.example\\@api.openai.com')).toBe('https://evil.example');
    expect(originOf('https://evil.example#@api.openai.com/')).toBe('https://evil.example');
    expect(originOf('https://аpi.openai.com/')).toBe('https://xn--pi-6kc.openai.com');
    expect(originOf('https://EXAMPLE.com:443/a')).toBe('https://example.com');
  });

  it('takes no name for public that is longer than one can be, without reading it', async () => {
    const nameOf = (parts: number): string => `${'ab-10-.'.repeat(parts)}example.com`;
    expect(reachOf(nameOf(30))).toBe('internet');
    expect(reachOf(nameOf(40))).toBe('network');
    const [small, large] = [nameOf(50_000), nameOf(100_000)];
    const often = (name: string) => () => Array.from({ length: 200 }, () => reachOf(name));
    await expectGrowthBelow(2.6, often(large), often(small));
  });
});

it.each([
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.255.255', '191.255.255.255', '192.1.0.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
  ['[2001::]', '[2001:1ff::1]', '[2000::1]', '[2001:200::1]'],
  ['[2001:db8::]', '[2001:db8::1]', '[2001:db7::1]', '[2001:db9::1]'],
  ['[2002::]', '[2002:ffff::1]', '[2001:ffff::1]', '[2003::1]'],
  ['[3fff::]', '[3fff:fff::1]', '[3ffe::1]', '[3fff:1000::1]'],
  ['[4000::]', '[ffff::1]', '[3fff:ffff::1]', null],
  ['[1fff::1]', '[100::1]', null, '[2000::1]'],
])(
  'takes what is from %s to %s for no part of the internet, and what is around it for one',
  (first, last, ...around) => {
    expect([reachOf(first), reachOf(last)]).toEqual(['network', 'network']);
    for (const each of around) if (each !== null) expect([each, reachOf(each)]).toEqual([each, 'internet']);
  },
);

it('reads names of at most 253 characters, with no label missing', () => {
  const name = (length: number): string => `${'a.'.repeat((length - 3) / 2)}com`;
  expect([reachOf(name(253)), reachOf(`a${name(253)}`)]).toEqual(['internet', 'network']);
  expect(readWebAddress(`https://${name(253)}/`)).toMatchObject({ reach: 'internet' });
  expect(readWebAddress(`https://a${name(253)}/`)).toBe('invalid');
  expect([reachOf('a..com'), reachOf('com'), reachOf('a.com')]).toEqual(['network', 'network', 'internet']);
});

it('finds a private address in a name, wherever it is', () => {
  for (const name of ['10.0.0.1.a.com', 'a-10-0-0-1.com', 'x.192-168-0-1-y.com', '1-10-0-0-1.com'])
    expect([name, reachOf(name)]).toEqual([name, 'network']);
  for (const name of ['8-8-8-8.com', '10-0-0.com', '10-0-0-256.com', '10-0-0-1x.com', '10-0-0-0001.com'])
    expect([name, reachOf(name)]).toEqual([name, 'internet']);
});

it('compares addresses but for a slash at the end', () => {
  expect(isSameAddress('https://a.com/', 'https://a.com')).toBe(true);
  expect(isSameAddress('https://a.com', 'https://a.com/')).toBe(true);
  expect(isSameAddress('https://a.com//', 'https://a.com')).toBe(false);
  expect([
    isSameAddress('a', 'a'),
    isSameAddress(1, 'https://a.com'),
    isSameAddress('https://b.com', 'https://a.com'),
  ]).toEqual([false, false, false]);
  expect([originOf('https://A.com:443/x#y'), originOf('x')]).toEqual(['https://a.com', null]);
});

test.each([
  ['https://api.example.com/v1?version=2', true],
  ['https://api.example.com/v1#top', true],
  ['http://localhost:1234?', true],
  ['https://api.example.com/v1/', false],
  ['http://localhost:1234/a%3Fb%23c', false],
])('%s has a query or a fragment: %s', (address, expected) => {
  expect(hasQueryOrFragment(address)).toBe(expected);
});

/** @jest-environment node */
import { readAddress } from '../../../src/remote/open';
import { connect, failureOf } from './harness';

const addressOf = (address: string): string | null => {
  const outcome = readAddress('library', address);
  return outcome.ok ? outcome.value.href : null;
};

describe('the address of a server', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp'],
    [' https://example.com:8443/mcp?set=1#part ', 'https://example.com:8443/mcp?set=1'],
    ['https://8.8.8.8/mcp', 'https://8.8.8.8/mcp'],
    ['https://[2606:4700::1111]/mcp', 'https://[2606:4700::1111]/mcp'],
    ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/mcp'],
    ['http://localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['http://[::1]:3000/mcp', 'http://[::1]:3000/mcp'],
    ['https://localhost/mcp', 'https://localhost/mcp'],
    ['https://172.32.0.1/', 'https://172.32.0.1/'],
    ['https://100.128.0.1/', 'https://100.128.0.1/'],
  ])('takes %s', (given, taken) => {
    expect(addressOf(given)).toBe(taken);
  });

  it.each([
    ...['1.0.0.1', '9.255.0.1', '11.0.0.1', '100.63.255.1', '101.64.0.1', '126.0.0.1', '128.0.0.1', '169.253.0.1'],
    ...['169.255.0.1', '170.254.0.1', '172.15.0.1', '173.16.0.1', '191.0.0.1', '192.1.0.1', '192.167.0.1'],
    ...['192.169.0.1', '193.168.0.1', '198.17.0.1', '198.20.0.1', '199.18.0.1', '223.255.255.255'],
    ...['[2000::1]', '[3fff:1000::1]', '[2001:200::1]', '[2003::1]'],
  ])('takes %s, which lies just outside the ranges of inner networks', (host) => {
    expect(addressOf(`https://${host}/`)).toBe(`https://${host}/`);
  });

  it.each([
    '',
    'example.com/mcp',
    'http://example.com/mcp',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@example.com/',
    'https://user:word@example.com/',
    'http://user:word@localhost/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'http://169.254.169.254/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://0.255.0.1/',
    'https://10.0.0.1/',
    'https://10.255.0.1/',
    'https://100.64.0.1/',
    'https://100.127.0.1/',
    'https://127.0.0.2/',
    'https://127.255.0.1/',
    'https://192.0.0.1/',
    'https://198.18.0.1/',
    'https://198.19.0.1/',
    'http://0.0.0.0/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://3232235777/',
    'https://0xc0a80101/',
    'https://0300.0250.01.01/',
    'https://192.168.257/',
    'https://10.1/',
    'https://192.168.1.1./',
    'https://１９２.168.1.1/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[fe80::1]/',
    'https://[::]/',
    'https://[::ffff:192.168.1.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::192.168.1.1]/',
    'https://[64:ff9b::c0a8:101]/',
    'https://[2002:c0a8:101::]/',
    'https://[2001:0:1::1]/',
    'https://[2001:1ff::1]/',
    'https://[1fff::1]/',
    'https://[4000::1]/',
    'https://[ff02::1]/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://api.localhost/',
    'https://router/',
    'https://LOCALHOST./',
    'https://nas.home.arpa./',
    'https://127.0.0.1.nip.io/',
    'https://localtest.me/',
    'https://fritz.box/',
    'https://foo.home/',
    'https://foo.corp/',
    'https://printer.localdomain/',
    'https://203.0.113.9/',
    'https://[3fff::1]/',
  ])('F34 refuses %s in words', (address) => {
    const outcome = readAddress('library', address);
    expect(failureOf(outcome)).toMatchObject({ kind: 'configuration', action: 'open-settings' });
    expect(failureOf(outcome).remedy).not.toBe('');
  });

  it('sends nothing to an address that is refused, and asks for no key', async () => {
    const fetch = jest.fn();
    const requestUrl = jest.fn();
    const key = jest.fn(() => 'secret');
    const outcome = await connect(
      'https://169.254.169.254/',
      { fetch, requestUrl, admit: key },
      { keyName: 'library' },
    );
    expect(failureOf(outcome).words).toContain('169.254.169.254');
    expect([fetch, requestUrl, key].map((port) => port.mock.calls.length)).toEqual([0, 0, 0]);
  });

  it('H10 repeats no password of an address in words', () => {
    const { words, remedy } = failureOf(readAddress('library', 'https://user:hunter2@example.com/'));
    expect(words + remedy).not.toContain('hunter2');
  });
});

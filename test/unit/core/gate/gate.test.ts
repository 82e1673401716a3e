import { Gate } from '../../../../src/core/gate/gate';
import { carriesKey, guardNetwork, NotAdmitted } from '../../../../src/core/gate/guard-network';
import type { Failure, Outcome } from '../../../../src/core/ports/failure';
import type { BufferedRequest } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { compatible, lmStudio, memoryDevice, openai, secretsOfUser as secrets } from '../../../support/memory-ports';

function bench(device = memoryDevice()) {
  const asked: string[] = [];
  const gate = new Gate({
    device,
    secret: (keyName) => {
      asked.push(keyName);
      return secrets[keyName] ?? null;
    },
  });
  return { gate, device, asked };
}

function failureOf(outcome: Outcome<unknown>): Failure {
  if (outcome.ok) throw new Error('It was admitted.');
  return outcome.failure;
}
const secretOf = (outcome: ReturnType<Gate['admit']>): string | null => (outcome.ok ? outcome.value.secret : 'refused');

describe('what needs no question', () => {
  it('R130 is a provider at its own address, with the key under Docent’s own name', () => {
    expect(bench().gate.admit(openai)).toEqual({
      ok: true,
      value: { origin: 'https://api.openai.com', secret: 'sk-own-1111' },
    });
  });

  it.each(['http://localhost:1234/v1', 'http://127.0.0.1:1234/v1', 'http://[::1]:1234', 'http://LOCALHOST:1234/other'])(
    'is a local server at its usual port, as in %s',
    (address) => expect(bench().gate.admit({ ...lmStudio, address })).toMatchObject({ ok: true }),
  );

  it('is an address that the user entered here, and a key chosen for it', () => {
    const { gate } = bench();
    gate.enterAddress('openai-compatible', compatible.address);
    gate.chooseKey(compatible);
    expect(secretOf(gate.admit(compatible))).toBe('sk-mine-3333');
    expect(secretOf(gate.admit({ ...compatible, address: 'https://gateway.example/other/path' }))).toBe('sk-mine-3333');
  });

  it('is a key that an earlier version bound on this device', () => {
    const { gate } = bench(memoryDevice(new Map([['key-origin-my-key', 'https://api.openai.com']])));
    expect(secretOf(gate.admit({ ...openai, keyName: 'my-key' }))).toBe('sk-mine-3333');
  });

  it('is no key at all: what is not stored is not asked about', () => {
    expect(secretOf(bench().gate.admit({ ...openai, keyName: 'missing' }))).toBeNull();
    expect(secretOf(bench().gate.admit({ ...openai, keyName: '' }))).toBeNull();
  });
});

describe('what came by sync', () => {
  it.each([
    'https://evil.example/v1',
    'http://localhost:6666/v1',
    'https://localhost:1234/v1',
    'http://127.0.0.1/v1',
    'https://192.168.0.9/v1',
    'https://api.openai.com.evil.example/v1',
    'https://api.openai.com:8443/v1',
    'https://xn--pi-6kc.openai.com/v1',
  ])('S6 is asked about before anything goes to %s, and remembered', (address) => {
    const { gate, device } = bench();
    for (const each of [openai, lmStudio, { ...compatible, keyName: '' }]) {
      const destination = { ...each, address };
      const failure = failureOf(gate.admit(destination));
      expect(failure).toMatchObject({ kind: 'refused', action: 'allow-sending', actions: ['open-settings'] });
      expect(failure.words).toContain(new URL(address).origin);
      expect(gate.allow(failure, [destination])).toBe(true);
      expect(gate.admit(destination).ok).toBe(true);
      expect(new Gate({ device, secret: () => null }).admit({ ...destination, keyName: '' }).ok).toBe(true);
    }
  });

  it('S6 gives no secret of another plugin to anyone, this device and the provider included', () => {
    for (const destination of [openai, lmStudio, { ...lmStudio, address: 'http://localhost:6666' }, compatible]) {
      const { gate } = bench();
      const failure = failureOf(gate.admit({ ...destination, keyName: 'github-token' }));
      expect(failure.words).toContain('“github-token”');
      expect(failure.words + failure.remedy).not.toContain('ghp-other');
    }
  });

  it('S6 gives no key to an origin that it was not chosen for, and does not offer to', () => {
    const { gate } = bench();
    gate.bindKey('github-token', 'https://api.github.com');
    expect(secretOf(gate.admit({ ...openai, keyName: 'github-token' }))).toBeNull();
    expect(secretOf(gate.admit({ ...lmStudio, keyName: 'github-token' }))).toBeNull();
    gate.allowDestination({ ...openai, keyName: 'github-token' });
    expect(secretOf(gate.admit({ ...openai, keyName: 'github-token' }))).toBeNull();
    expect(gate.admitServer('github-token', 'https://api.github.com/mcp')?.secret).toBe('ghp-other-2222');
  });

  it('S6 gives Docent’s own key of a provider to that provider alone', () => {
    for (const destination of [lmStudio, compatible, { ...openai, address: 'https://evil.example' }]) {
      const { gate } = bench();
      const failure = failureOf(gate.admit({ ...destination, keyName: 'docent-openai-key' }));
      expect(failure.words).toContain('“docent-openai-key”');
    }
  });

  it('asks about address and key at once, and once', () => {
    const { gate } = bench();
    const failure = failureOf(gate.admit(compatible));
    expect(failure.words).toContain('https://gateway.example');
    expect(failure.words).toContain('“my-key”');
    expect(gate.allow(failure, [openai, lmStudio, compatible])).toBe(true);
    expect(secretOf(gate.admit(compatible))).toBe('sk-mine-3333');
  });

  it('asks again about another key, and about another address', () => {
    const { gate } = bench();
    gate.allowDestination(compatible);
    expect(gate.admit({ ...compatible, keyName: 'github-token' }).ok).toBe(false);
    expect(gate.admit({ ...compatible, address: 'https://other.example' }).ok).toBe(false);
    expect(gate.admit(compatible).ok).toBe(true);
  });

  it('allows only what the user read: a question that has changed since is not answered', () => {
    const { gate } = bench();
    const shown = failureOf(gate.admit(compatible));
    const moved = { ...compatible, address: 'https://evil.example/v1' };
    expect(gate.allow(shown, [openai, lmStudio, moved])).toBe(false);
    expect(gate.allow({ words: 'Docent was updated. Allow it to go on.' }, [moved])).toBe(false);
    expect([gate.admit(moved).ok, gate.admit(compatible).ok]).toEqual([false, false]);
  });

  it('does not take the choice of a key for a yes to an address that was not allowed', () => {
    const { gate } = bench();
    const moved = { ...openai, address: 'https://evil.example/v1', keyName: 'my-key' };
    gate.chooseKey(moved);
    expect(failureOf(gate.admit(moved)).words).toContain('https://evil.example');
  });

  it.each(['My Key', 'a key', '../x', 'ключ', 'k\u200bey', 'x'.repeat(129), '__proto__'])(
    'reads no secret under the name %j, which none can have',
    (keyName) => {
      const { gate, asked } = bench();
      expect(secretOf(gate.admit({ ...openai, keyName }))).toBeNull();
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ['http://gateway.example/v1', 'gateway.example'],
    ['http://192.168.1.5:11434', '192.168.1.5:11434'],
    ['http://nas.local:11434', 'nas.local:11434'],
    ['http://127.0.0.1.nip.io:11434', 'nip.io'],
    ['http://localhost.:11434', 'localhost.:11434'],
    ['http://127.0.0.2:11434', '127.0.0.2'],
  ])('S7 refuses %s, with a key or without, allowed or not', (address, said) => {
    const { gate } = bench(memoryDevice(new Map([['provider-address-lmstudio', new URL(address).origin]])));
    for (const keyName of ['', 'my-key']) {
      const destination = { ...lmStudio, address, keyName };
      gate.allowDestination(destination);
      const failure = failureOf(gate.admit(destination));
      expect(failure).toMatchObject({ kind: 'configuration', action: 'open-settings' });
      expect(failure.words).toContain(said);
    }
  });

  it('says that an address is in a private network', () => {
    const { gate } = bench();
    const near = failureOf(gate.admit({ ...compatible, address: 'https://fritz.box/v1', keyName: '' })).words;
    expect(near).toBe(words.gate.asksAddress('Server', 'https://fritz.box', true));
  });
});

describe('an MCP server', () => {
  it('S6 gets a key only where it was chosen for its origin, on this device too', () => {
    const { gate } = bench();
    expect(gate.admitServer('github-token', 'http://localhost:6666/mcp')?.secret).toBeNull();
    expect(gate.admitServer('github-token', 'https://evil.example/mcp')?.secret).toBeNull();
    gate.bindKey('github-token', 'http://localhost:6666/mcp');
    expect(gate.admitServer('github-token', 'http://localhost:6666/other')?.secret).toBe('ghp-other-2222');
    expect(gate.admitServer('github-token', 'http://localhost:7777/mcp')?.secret).toBeNull();
    expect(gate.admitServer('github-token', 'nonsense')).toBeNull();
  });
});

describe('what is revoked', () => {
  it('is asked about again: address, key, and redirects', () => {
    const { gate } = bench();
    gate.allowDestination(compatible);
    gate.allowBuffered(compatible.address);
    expect(gate.allowanceOf(compatible)).toMatchObject({ isAddressAllowed: true, key: 'bound', isBuffered: true });
    gate.admit(compatible);
    gate.revoke(compatible);
    expect(gate.allowanceOf(compatible)).toMatchObject({ isAddressAllowed: false, key: 'unbound', isBuffered: false });
    expect(gate.admit(compatible).ok).toBe(false);
    expect(gate.isAdmitted('https://gateway.example', 'sk-mine-3333')).toBe(false);
  });

  it('stays revoked under Docent’s own name, until it is allowed or chosen again', () => {
    const { gate } = bench();
    gate.revoke(openai);
    expect(failureOf(gate.admit(openai)).words).toContain('“docent-openai-key”');
    gate.chooseKey(openai);
    expect(secretOf(gate.admit(openai))).toBe('sk-own-1111');
  });
});

describe('requests that follow redirects', () => {
  it('S5 are allowed for each origin, and without asking only on this device and without a key', () => {
    const { gate } = bench();
    expect(gate.mayGoBuffered('http://localhost:1234', false)).toBe(true);
    expect(gate.mayGoBuffered('http://localhost:1234', true)).toBe(false);
    expect(gate.mayGoBuffered('https://api.x.ai', false)).toBe(false);
    expect(gate.mayGoBuffered('https://10.0.0.1', false)).toBe(false);
    gate.allowBuffered('https://api.x.ai/v1');
    expect(gate.mayGoBuffered('https://api.x.ai', true)).toBe(true);
    expect(gate.mayGoBuffered('https://api.x.ai:444', true)).toBe(false);
    gate.revokeBuffered('https://api.x.ai/other');
    expect(gate.mayGoBuffered('https://api.x.ai', true)).toBe(false);
  });
});

describe('the way out', () => {
  function guarded() {
    const { gate } = bench();
    const sent: string[] = [];
    const network = guardNetwork(
      {
        fetch: (url, init) => {
          sent.push(`fetch ${url} ${init.redirect} ${init.credentials}`);
          return Promise.resolve(new Response(''));
        },
        requestUrl: ({ url }) => {
          sent.push(`requestUrl ${url}`);
          return Promise.resolve({ status: 200, headers: {}, arrayBuffer: new ArrayBuffer(0) });
        },
      },
      gate,
    );
    return { gate, sent, network };
  }
  const post = (url: string, headers: Record<string, string> = {}): BufferedRequest => ({
    ...{ url, method: 'POST', headers, body: '{}', throw: false as const },
  });

  it('is closed to everything that was not admitted, whoever sends it', async () => {
    const { sent, network } = guarded();
    for (const url of ['https://api.openai.com/v1', 'http://localhost:1234/', 'nonsense', 'http://evil.example/']) {
      await expect(network.fetch(url, {})).rejects.toThrow(NotAdmitted);
      await expect(network.requestUrl(post(url))).rejects.toThrow(NotAdmitted);
    }
    expect(sent).toEqual([]);
  });

  it('is open to an admitted origin, follows nothing, and carries only the key that was admitted to it', async () => {
    const { gate, sent, network } = guarded();
    gate.admit(openai);
    const url = 'https://api.openai.com/v1/responses';
    await network.fetch(url, { method: 'POST', redirect: 'follow', credentials: 'include' });
    await network.fetch(url, { headers: { Authorization: 'Bearer sk-own-1111' } });
    expect(sent).toEqual(Array(2).fill(`fetch ${url} manual omit`));
    for (const [name, value] of [
      ['authorization', 'Bearer ghp-other-2222'],
      ['X-Api-Key', 'ghp-other-2222'],
      ['x-goog-api-key', 'sk-own-1111 '.repeat(2)],
    ] as const) {
      await expect(network.fetch(url, { headers: { [name]: value } })).rejects.toThrow(NotAdmitted);
    }
    await expect(network.fetch('https://api.openai.com:444/', {})).rejects.toThrow(NotAdmitted);
    expect(sent).toHaveLength(2);
  });

  it('S5 lets requestUrl find out whether anything responds, and no more, before it is allowed', async () => {
    const { gate, sent, network } = guarded();
    gate.admit(openai);
    const root = 'https://api.openai.com/';
    const bare = { url: root, method: 'GET', headers: {}, throw: false } as const;
    await network.requestUrl(bare);
    for (const request of [
      { ...bare, url: `${root}?note=text` },
      { ...bare, url: `${root}v1/models` },
      { ...bare, headers: { 'x-api-key': 'sk-own-1111' } },
      { ...bare, body: 'text' },
      { ...bare, method: 'POST' },
      post(root),
    ]) {
      await expect(network.requestUrl(request)).rejects.toThrow(NotAdmitted);
    }
    expect(sent).toEqual([`requestUrl ${root}`]);
    gate.allowBuffered(root);
    await network.requestUrl(post(root, { authorization: 'Bearer sk-own-1111' }));
    await expect(network.requestUrl(post(root, { authorization: 'Bearer ghp-other-2222' }))).rejects.toThrow(
      NotAdmitted,
    );
    expect(sent).toHaveLength(2);
  });

  it('knows the headers that carry keys, in any case', () => {
    expect(carriesKey({ 'X-API-Key': 'a' })).toBe(true);
    expect(carriesKey({ AUTHORIZATION: 'Bearer a' })).toBe(true);
    expect(carriesKey({ 'content-type': 'application/json', 'anthropic-version': '1' })).toBe(false);
  });
});

it('tells its subscribers each time that the user allows something, until they leave', () => {
  const { gate } = bench();
  const seen: (string | null)[] = [];
  const leave = gate.subscribe(() => seen.push(secretOf(gate.admit(compatible))));
  gate.enterAddress('openai-compatible', compatible.address);
  gate.chooseKey(compatible);
  leave();
  gate.enterAddress('openai-compatible', 'https://other.example');
  expect([seen.length >= 2, seen.at(-1)]).toEqual([true, 'sk-mine-3333']);
  const { length } = seen;
  gate.chooseKey(compatible);
  expect(seen).toHaveLength(length);
});

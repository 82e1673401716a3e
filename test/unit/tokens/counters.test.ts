/** Where texts are counted: in a worker, in slices where there is none, and what comes of workers that fail. */
import { type CountReply, type CountRequest, serveCounts, type WorkerScope } from '../../../src/tokens/serve-counts';
import {
  type CountingParts,
  openBackgroundCounter,
  openSlicedCounter,
  openWorkerCounter,
  type WorkerPort,
} from '../../../src/tokens/text-counter';
import { openTiktoken } from '../../bench/baselines/tiktoken';
import { packedO200k, shortRanks } from './o200k';

jest.setTimeout(120_000);

const texts = ['The blue boat is on the hard.', '', '日本語', 'a'.repeat(300)];
const { packed, original } = shortRanks();
const oracle = openTiktoken(original);
const expected = texts.map((text) => oracle.count(text));

/** Simulates a text that is too large for memory. */
const uncountable = null as unknown as string;

interface Clockwork extends CountingParts {
  /** How often the ranks were asked for. */
  unpacked: number;
  /** Lets the time of everything that waits run out. */
  elapse(): void;
  waiting(): number;
}

function counting(ranks = packed): Clockwork {
  const acts = new Set<() => void>();
  const parts: Clockwork = {
    unpacked: 0,
    ranks: () => {
      parts.unpacked += 1;
      return ranks;
    },
    workerCode: () => 'the code of the worker',
    after: (_, act) => {
      acts.add(act);
      return () => void acts.delete(act);
    },
    elapse: () => {
      for (const act of [...acts]) {
        acts.delete(act);
        act();
      }
    },
    waiting: () => acts.size,
  };
  return parts;
}

/** A worker in this process; `mute` swallows its words. */
class NearWorker implements WorkerPort {
  onmessage: WorkerPort['onmessage'] = null;
  onerror: WorkerPort['onerror'] = null;
  terminated = false;
  released = 0;
  private readonly scope: WorkerScope = {
    onmessage: null,
    postMessage: (reply: CountReply) => void setTimeout(() => this.hear(reply)),
  };

  constructor(private readonly mute = false) {
    serveCounts(this.scope);
  }

  postMessage(data: CountRequest): void {
    setTimeout(() => this.scope.onmessage?.({ data: structuredClone(data) } as MessageEvent<CountRequest>));
  }

  terminate(): void {
    this.terminated = true;
  }

  release(): void {
    this.released += 1;
  }

  private hear(data: CountReply): void {
    if (!this.mute && !this.terminated) this.onmessage?.({ data } as MessageEvent<CountReply>);
  }
}

describe('in slices', () => {
  it('counts exactly, and unpacks nothing before the first count', async () => {
    const parts = counting();
    const counter = openSlicedCounter(parts);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(parts.unpacked).toBe(0);
    expect(await counter.count(texts)).toEqual(expected);
    expect(await counter.count(['again'])).toEqual([oracle.count('again')]);
    expect(parts.unpacked).toBe(1);
  });

  it('gives way to other work while it unpacks and while it counts', async () => {
    const counter = openSlicedCounter(counting(packedO200k()));
    const turnsWhile = async (counts: Promise<unknown>): Promise<number> => {
      let turns = 0;
      let over = false;
      const turn = (): void => {
        turns += 1;
        if (!over) setImmediate(turn);
      };
      setImmediate(turn);
      await counts;
      over = true;
      return turns;
    };
    expect(await turnsWhile(counter.count(['a']))).toBeGreaterThan(5);
    expect(await turnsWhile(counter.count(['a'.repeat(400_000)]))).toBeGreaterThan(5);
    expect(await counter.count(['again'])).toEqual([1]);
    counter.close();
  });

  it('counts texts that are asked for at the same time one after the other', async () => {
    const counter = openSlicedCounter(counting());
    const long = 'One sentence after another. 漢字 '.repeat(3_000);
    const [first, second, third] = await Promise.all([
      counter.count([long]),
      counter.count(texts),
      counter.count([long]),
    ]);
    expect(second).toEqual(expected);
    expect(first).toEqual([oracle.count(long)]);
    expect(third).toEqual(first);
  });

  it('stops when it is closed', async () => {
    const counter = openSlicedCounter(counting());
    const counts = counter.count(['a'.repeat(1_000_000)]);
    setTimeout(() => counter.close(), 5);
    await expect(counts).rejects.toThrow('closed');
  });
});

describe('in a worker', () => {
  it('counts exactly and leaves no timer behind', async () => {
    const parts = counting();
    const worker = new NearWorker();
    let code = '';
    const counter = openWorkerCounter(parts, (given) => {
      code = given;
      return worker;
    });
    const both = await Promise.all([counter.count(texts), counter.count(['again'])]);
    expect(both).toEqual([expected, [oracle.count('again')]]);
    expect(code).toBe('the code of the worker');
    expect([parts.waiting(), worker.released, worker.terminated]).toEqual([0, 1, false]);
    counter.close();
    expect(worker.terminated).toBe(true);
    await expect(counter.count(texts)).rejects.toThrow('closed');
  });

  it('is given up after three looks without a word, and not while it says that it lives', async () => {
    const parts = counting();
    const worker = new NearWorker(true);
    const say = (data: CountReply) => worker.onmessage?.({ data } as MessageEvent<CountReply>);
    const counter = openWorkerCounter(parts, () => worker);
    const counts = counter.count(['a']);
    for (let word = 0; word < 30; word += 1) {
      parts.elapse();
      parts.elapse();
      say({ type: 'alive' });
    }
    expect([worker.terminated, parts.waiting()]).toEqual([false, 1]);
    say({ type: 'counts', id: 1, counts: [1] });
    expect([await counts, parts.waiting()]).toEqual([[1], 0]);
    const second = counter.count(['b']);
    for (let look = 0; look < 2; look += 1) parts.elapse();
    expect(worker.terminated).toBe(false);
    parts.elapse();
    await expect(second).rejects.toThrow('does not answer');
    expect([worker.terminated, parts.waiting()]).toEqual([true, 0]);
  });

  it('says that it lives while it works on a long text', () => {
    const replies: CountReply[] = [];
    const scope: WorkerScope = { onmessage: null, postMessage: (reply) => void replies.push(reply) };
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 100));
    serveCounts(scope);
    const ask = (data: CountRequest) => scope.onmessage?.({ data } as MessageEvent<CountRequest>);
    ask({ type: 'ranks', ranks: packed });
    const before = replies.length;
    ask({ type: 'count', id: 1, texts: ['a boat '.repeat(30_000)] });
    clock.mockRestore();
    const words = replies.slice(before).map(({ type }) => type);
    expect(words.length).toBeGreaterThan(3);
    expect(words.slice(0, -1).every((type) => type === 'alive')).toBe(true);
    expect(words.at(-1)).toBe('counts');
  });

  it('has no count for a text that cannot be counted, and goes on', async () => {
    const counter = openWorkerCounter(counting(), () => new NearWorker());
    expect(await counter.count(['a', uncountable, 'a'])).toEqual([1, null, 1]);
    counter.close();
    const sliced = openSlicedCounter(counting());
    expect(await sliced.count(['a', uncountable, 'a'])).toEqual([1, null, 1]);
  });
});

describe('in the background', () => {
  const open = (parts: CountingParts, makeWorker: () => WorkerPort) => {
    let opened = 0;
    const counter = openBackgroundCounter(parts, (given) => {
      opened += 1;
      return openWorkerCounter(given, makeWorker);
    });
    return { counter, opened: () => opened };
  };

  it('starts nothing before the first count, and one worker for all', async () => {
    const parts = counting();
    const { counter, opened } = open(parts, () => new NearWorker());
    expect([opened(), parts.unpacked]).toEqual([0, 0]);
    expect(await counter.count(texts)).toEqual(expected);
    expect(await counter.count(texts)).toEqual(expected);
    expect([opened(), parts.unpacked]).toEqual([1, 1]);
    counter.close();
  });

  it('counts in slices where no worker can be made, and tries once only', async () => {
    const { counter, opened } = open(counting(), () => {
      throw new Error('Worker is not defined');
    });
    expect(await counter.count(texts)).toEqual(expected);
    expect(await counter.count(texts)).toEqual(expected);
    expect(opened()).toBe(1);
  });

  it('counts in slices where a worker may not run, whether the platform says so or not', async () => {
    const refused = new NearWorker(true);
    const first = open(counting(), () => refused);
    const counts = first.counter.count(texts);
    refused.onerror?.({ message: 'refused by policy' } as ErrorEvent);
    expect(await counts).toEqual(expected);
    expect(refused.terminated).toBe(true);

    const parts = counting();
    const silent = new NearWorker(true);
    const second = open(parts, () => silent);
    const later = second.counter.count(texts);
    for (let look = 0; look < 3; look += 1) parts.elapse();
    expect(await later).toEqual(expected);
    expect([silent.terminated, silent.released > 0, parts.waiting()]).toEqual([true, true, 0]);
  });

  it('ends with the plugin: what waits is given up, and nothing is started again', async () => {
    const worker = new NearWorker(true);
    const { counter, opened } = open(counting(), () => worker);
    const counts = counter.count(texts);
    counter.close();
    await expect(counts).rejects.toThrow('closed');
    await expect(counter.count(texts)).rejects.toThrow('closed');
    expect([worker.terminated, opened()]).toEqual([true, 1]);
  });
});

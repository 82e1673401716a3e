/**
 * F26 F28: streams damaged in transit. When events are dropped, repeated, reordered or inserted, the answer is read or a
 * failure is reported. Nothing is thrown, and no incomplete or invented call is passed on.
 *
 * @jest-environment node
 */
import type { ModelEvent } from '../../../src/core/ports/model';
import type { WireFormat } from '../../../src/models/providers/provider';
import { eventsOf, formats, modelAt, planOf } from './harness';
import { cases, framed, recordings } from './recordings';

const mutantsOfEach = 300;

/** A small generator, so that a failure can be looked at again. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

type Mutation = (bytes: Buffer, next: () => number) => Buffer;
const at = (bytes: Buffer, next: () => number): number => Math.floor(next() * bytes.length);
const lines = (bytes: Buffer): string[] => bytes.toString('latin1').split('\n');
const joined = (parts: readonly string[]): Buffer => Buffer.from(parts.join('\n'), 'latin1');

const mutations: Readonly<Record<string, Mutation>> = {
  'a byte lost': (bytes, next) => {
    const place = at(bytes, next);
    return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]);
  },
  'a byte that is no UTF-8': (bytes, next) => {
    const place = at(bytes, next);
    return Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff]), bytes.subarray(place)]);
  },
  'a line lost': (bytes, next) => {
    const all = lines(bytes);
    all.splice(Math.floor(next() * all.length), 1);
    return joined(all);
  },
  'a line twice': (bytes, next) => {
    const all = lines(bytes);
    const place = Math.floor(next() * all.length);
    all.splice(place, 0, all[place] ?? '');
    return joined(all);
  },
  'two lines turned around': (bytes, next) => {
    const all = lines(bytes);
    const place = Math.floor(next() * (all.length - 1));
    [all[place], all[place + 1]] = [all[place + 1] ?? '', all[place] ?? ''];
    return joined(all);
  },
  'a comment between': (bytes, next) => {
    const all = lines(bytes);
    all.splice(Math.floor(next() * all.length), 0, ': keep-alive');
    return joined(all);
  },
  'an event of another kind': (bytes, next) => {
    const all = lines(bytes);
    all.splice(
      Math.floor(next() * all.length),
      0,
      'data: {"type":"news","index":-1,"choices":null,"candidates":[null]}',
      '',
    );
    return joined(all);
  },
  'cut and begun again': (bytes, next) => Buffer.concat([bytes.subarray(0, at(bytes, next)), bytes]),
  'a number in place of a text': (bytes, next) => {
    const text = bytes.toString('latin1');
    const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)];
    const place = places[Math.floor(next() * places.length)];
    if (place === undefined) return bytes;
    return Buffer.from(text.slice(0, place.index) + '7' + text.slice(place.index + place[0].length), 'latin1');
  },
};

async function read(format: WireFormat, bytes: Buffer, chunk: number): Promise<ModelEvent[]> {
  const entry = formats.find((each) => each.format === format);
  if (entry === undefined) throw new Error(`There is no format ${format}.`);
  const body = (): ReadableStream<Uint8Array> => {
    let sent = 0;
    return new ReadableStream({
      pull(controller) {
        if (sent >= bytes.length) return controller.close();
        controller.enqueue(new Uint8Array(bytes.subarray(sent, sent + chunk)));
        sent += chunk;
      },
    });
  };
  const headers = { 'content-type': 'text/event-stream' };
  const transport = { fetch: () => Promise.resolve(new Response(body(), { headers })) };
  const stopper = new AbortController();
  return eventsOf(
    modelAt('https://model.example', entry.row, { transport }).stream(planOf(), stopper.signal),
    ({ type }) => {
      if (type === 'waiting') stopper.abort();
    },
  );
}

const known = new Set(['search_notes', 'read_note']);

describe.each(formats)('$format', ({ format }) => {
  it(`F26 F28 reads or reports ${mutantsOfEach} broken streams`, async () => {
    const names = Object.keys(mutations);
    let ended = 0;
    for (let seed = 0; seed < mutantsOfEach; seed++) {
      const next = numbersFrom(seed);
      const recording = recordings[format][cases[seed % cases.length] ?? 'text'];
      if (recording === null) continue;
      const name = names[seed % names.length] ?? '';
      const whole = Buffer.from(framed(format, recording.events));
      const bytes = mutations[name]?.(whole, next) ?? whole;
      const events = await read(format, bytes, 1 + Math.floor(next() * 200));
      const types = events.map(({ type }) => type);
      const ends = types.filter((type) => type === 'finish' || type === 'failure');
      // One end at most, and nothing behind it.
      expect([seed, name, ends.length <= 1, ends.length === 0 || ends[0] === types.at(-1)]).toEqual([
        seed,
        name,
        true,
        true,
      ]);
      const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
      if (calls.length > 0) expect([seed, name, types.at(-1)]).toEqual([seed, name, 'finish']);
      for (const call of calls) {
        expect([seed, typeof call.argumentsText, typeof call.id]).toEqual([seed, 'string', 'string']);
        if (name !== 'a number in place of a text' && !name.startsWith('a byte')) {
          expect([seed, name, known.has(call.name)]).toEqual([seed, name, true]);
        }
      }
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
      if (types.at(-1) === 'finish') ended++;
    }
    // Most of it is no harm at all, and some of it is.
    expect(ended).toBeGreaterThan(mutantsOfEach / 10);
    expect(ended).toBeLessThan(mutantsOfEach);
  }, 60_000);
});

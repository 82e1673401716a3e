/** Compares the exact counter with js-tiktoken: both count the same texts in the same run. */
import ranks from 'docent:packed-ranks';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { finish, TextCount } from '../../src/tokens/count-text';
import { ExactTokenizer } from '../../src/tokens/open';
import { openSlicedCounter } from '../../src/tokens/text-counter';
import { unpackRanks } from '../../src/tokens/unpack-ranks';
import { openTiktoken } from './baselines/tiktoken';
import { makeTexts } from './make-texts';
import { medianOf } from './median';

export interface TokenFigures {
  readonly texts: number;
  /** Texts that the two count differently. */
  readonly mismatches: number;
  /** Megabytes for each second of processor time. */
  readonly mb_per_s: number;
  readonly js_tiktoken_mb_per_s: number;
  readonly one_letter_1mb_ms: number;
  /** From the first count to exact ones, without a worker. */
  readonly ready_ms: number;
}

const generatedTexts = 6_000;
const usualPasses = 3;

export async function measureTokens(
  vault: string,
  progress: (words: string) => void,
  rounds = usualPasses,
): Promise<TokenFigures> {
  const passes = Math.min(rounds, usualPasses);
  progress('getting ready to count');
  const ready_ms = medianOf(await repeat(passes, measureReady));
  const notes = await readNotes(vault);
  const texts = [...notes, ...makeTexts(notes, generatedTexts)];
  const unpacked = finish(unpackRanks(ranks()));
  const baseline = openTiktoken();
  // Both run warm, as they do in an app that has been open for a while.
  for (const text of texts.slice(-500)) baseline.count(text);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  progress(`counting ${texts.length} texts, ${Math.round(bytes / 1e5) / 10} MB`);
  let counts: number[] = [];
  const milliseconds = await repeat(passes, () => {
    // A fresh one each time: what it remembers of pieces is part of its speed, not of its head start.
    const count = new TextCount(unpacked);
    return measure(() => void (counts = texts.map((text) => finish(count.count(text)))));
  });
  progress('counting them with js-tiktoken');
  let expected: number[] = [];
  const baselineMilliseconds = measure(() => void (expected = texts.map((text) => baseline.count(text))));
  const speed = (time: number): number => Math.round((bytes / 1e6 / (time / 1000)) * 100) / 100;
  progress('counting one letter a million times');
  const letters = 'a'.repeat(1_000_000);
  const one_letter_1mb_ms = medianOf(
    await repeat(passes, () => measure(() => void finish(new TextCount(unpacked).count(letters)))),
  );
  const wrong = texts.filter((_, index) => counts[index] !== expected[index]);
  for (const text of wrong.slice(0, 3)) progress(`counted differently: ${JSON.stringify(text.slice(0, 200))}`);
  return {
    texts: texts.length,
    mismatches: wrong.length,
    mb_per_s: speed(medianOf(milliseconds)),
    js_tiktoken_mb_per_s: speed(baselineMilliseconds),
    one_letter_1mb_ms,
    ready_ms,
  };
}

async function measureReady(): Promise<number> {
  const start = performance.now();
  const tokenizer = new ExactTokenizer(openSlicedCounter({ ranks }));
  tokenizer.count('The blue boat is on the hard.');
  await tokenizer.settle();
  if (!tokenizer.exact) throw new Error('The counter did not get ready.');
  return performance.now() - start;
}

/** Returns milliseconds of processor time: the two counters run one after the other, and a pause would decide. */
function measure(act: () => void): number {
  const start = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function repeat(times: number, run: () => number | Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let time = 0; time < times; time += 1) results.push(await run());
  return results;
}

async function readNotes(vault: string): Promise<string[]> {
  const names = (await readdir(vault, { recursive: true })).filter((name) => /\.(?:md|canvas|base)$/.test(name)).sort();
  return Promise.all(names.map((name) => readFile(path.join(vault, name), 'utf8')));
}

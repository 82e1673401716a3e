/**
 * Measures how long it takes to gather, render and assemble a prompt, cold and with nothing changed, compared with the
 * naive builder.
 */
import type * as obsidian from 'obsidian';
import type { Chat } from '../../src/core/chat/chat';
import { toolAgentsOf } from '../../src/core/context/chat-tools';
import { listPrompts, listWorkspaces } from '../../src/core/library/user-notes';
import type { Tokenizer } from '../../src/core/ports/model';
import type { RequestPlan } from '../../src/core/ports/request-plan';
import { ExactTokenizer } from '../../src/tokens/open';
import { buildNaivePrompt, type NaiveOptions } from './baselines/naive-builder';
import { countInSlices } from './count-in-slices';
import { medianOf } from './median';
import { closeApp, openApp } from './open-app';
import { type Docent, openDocent } from './open-docent';
import { contextNotes, makeScenario, question } from './scenario';
import { SlowAdapter } from './slow-adapter';

export interface PromptTimes {
  readonly cold_ms: number;
  readonly unchanged_ms: number;
  readonly cold_5ms_reads_ms: number;
  readonly count_ms: number;
  readonly baseline_cold_ms: number;
  readonly baseline_cold_5ms_reads_ms: number;
}

export interface Repetitions {
  /** Runs before those that are measured. */
  readonly warmUp: number;
  readonly measured: number;
}

/** Milliseconds. */
const slowRead = 5;
/** For what takes a tenth of a second each time. */
const few: Repetitions = { warmUp: 2, measured: 9 };
/** For what takes a thousandth of a second. */
const many: Repetitions = { warmUp: 60, measured: 41 };

/** @param repetitions - of what takes a twentieth of a second each time */
export async function measurePromptTimes(repetitions: Repetitions): Promise<PromptTimes> {
  const adapter = new SlowAdapter({ files: makeScenario() });
  const app = await openApp(adapter);
  // The app's own cache of texts would hide every read but the first.
  app.vault.cachedRead = (file) => app.vault.read(file);
  try {
    const cold = await repeat(repetitions, () => buildCold(app));
    const unchanged = await measureUnchanged(app);
    const naive = await naiveOptionsOf(app);
    const baseline = await repeat(many, () => buildBaseline(naive));
    adapter.readTime = slowRead;
    const coldSlow = await repeat(repetitions, () => buildCold(app));
    const baselineSlow = await repeat(few, () => buildBaseline(naive));
    const apart = (runs: readonly Run[]): number => medianOf(runs.map(({ whole, counting }) => whole - counting));
    return {
      cold_ms: apart(cold),
      unchanged_ms: apart(unchanged),
      cold_5ms_reads_ms: apart(coldSlow),
      count_ms: medianOf(cold.map(({ counting }) => counting)),
      baseline_cold_ms: apart(baseline),
      baseline_cold_5ms_reads_ms: apart(baselineSlow),
    };
  } finally {
    await closeApp(app);
  }
}

/** Milliseconds. */
interface Run {
  readonly whole: number;
  /** The part of it that went into counting tokens. */
  readonly counting: number;
}

async function repeat({ warmUp, measured }: Repetitions, run: () => Promise<Run>): Promise<Run[]> {
  const runs: Run[] = [];
  for (let time = 0; time < warmUp + measured; time += 1) {
    const figures = await run();
    if (time >= warmUp) runs.push(figures);
  }
  return runs;
}

/** With fresh caches at every layer of ours, as at the first message after a start. */
async function buildCold(app: obsidian.App): Promise<Run> {
  const timed = timedTokenizer();
  const docent = await openDocent(app, { tokenizer: timed });
  const run = await measureBuild(await startChat(docent), timed);
  docent.close();
  return run;
}

async function measureUnchanged(app: obsidian.App): Promise<Run[]> {
  const timed = timedTokenizer();
  const docent = await openDocent(app, { tokenizer: timed });
  const chat = await startChat(docent);
  const buildText = async (): Promise<string> => JSON.stringify(await buildOnce(chat));
  const first = await buildText();
  const runs = await repeat(many, () => measureBuild(chat, timed));
  const last = await buildText();
  // The prompt says the minute, which may have changed once since then, but not twice.
  if (last !== first && (await buildText()) !== last) throw new Error('An unchanged vault gave another prompt.');
  docent.close();
  return runs;
}

async function measureBuild(chat: Chat, timed: TimedTokenizer): Promise<Run> {
  timed.milliseconds = 0;
  const start = performance.now();
  const plan = await buildOnce(chat);
  const whole = performance.now() - start;
  if (!JSON.stringify(plan.messages).concat(plan.system).includes('# Context 20'))
    throw new Error('A context note is missing from the prompt.');
  return { whole, counting: timed.milliseconds };
}

async function startChat(docent: Docent): Promise<Chat> {
  const chat = await docent.startChat();
  await chat.choose({ mode: 'assistant', tier: 5, contextNotes });
  return chat;
}

/** What a chat does between the message and the first byte to the model. */
async function buildOnce(chat: Chat): Promise<RequestPlan> {
  const plan = await chat.preview(question, [], new AbortController().signal);
  if (!plan.ok) throw new Error(plan.failure.words);
  return plan.value;
}

async function buildBaseline(options: Omit<NaiveOptions, 'now'>): Promise<Run> {
  const start = performance.now();
  const prompt = await buildNaivePrompt({ ...options, now: Date.now() });
  const whole = performance.now() - start;
  if (!prompt.includes('Context 20')) throw new Error('A context note is missing from the baseline.');
  return { whole, counting: 0 };
}

/** The lists are handed to the baseline ready made; it pays only for reading notes and for writing. */
async function naiveOptionsOf(app: obsidian.App): Promise<Omit<NaiveOptions, 'now'>> {
  const docent = await openDocent(app);
  const { vault, settings, ports } = docent;
  const options = {
    contextNotes,
    rootFolders: vault.folders().filter((path) => !path.includes('/')),
    rootFiles: vault.files().flatMap(({ path }) => (path.includes('/') ? [] : path)),
    workspaces: listWorkspaces(vault, settings.agentFolder),
    prompts: listPrompts(vault, settings.agentFolder),
    agents: toolAgentsOf(ports.tools),
    readNote: async (path: string) => {
      const file = app.vault.getFileByPath(path);
      return file === null ? '' : app.vault.cachedRead(file);
    },
  };
  docent.close();
  return options;
}

interface TimedTokenizer extends Tokenizer {
  milliseconds: number;
}

/** The counter that ships, with nothing counted yet; the ranks are unpacked once for all of them. */
function timedTokenizer(): TimedTokenizer {
  const tokenizer = new ExactTokenizer(countInSlices());
  const timed: TimedTokenizer = {
    milliseconds: 0,
    get exact() {
      return tokenizer.exact;
    },
    count: (text) => {
      const start = performance.now();
      const tokens = tokenizer.count(text);
      timed.milliseconds += performance.now() - start;
      return tokens;
    },
    settle: async () => {
      const start = performance.now();
      await tokenizer.settle();
      timed.milliseconds += performance.now() - start;
    },
  };
  return timed;
}

/** Plays a task: the plugin's own chat over a copy of the vault in memory, with all proposed changes accepted. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { Chat } from '../../src/core/chat/chat';
import { describeFailure, succeed } from '../../src/core/ports/failure';
import type { ToolCallPart } from '../../src/core/ports/message';
import type { Model } from '../../src/core/ports/model';
import { spentIn } from '../../src/core/session/log-state';
import type { Settings } from '../../src/core/settings/settings';
import { SessionLog } from '../../src/core/session/session-log';
import { clock, identifiers } from '../../src/vault/device';
import { digest } from '../../src/vault/hash';
import { closeApp, openApp } from '../bench/open-app';
import { openDocent } from '../bench/open-docent';
import { forgetfulStore } from '../support/memory-ports';
import { untilRested } from '../support/until-rested';
import type { Ask, CallSeen, Evidence, Task } from './task';

interface Spent {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In dollars; null if a price is unknown. */
  readonly cost: number | null;
}

export interface TaskResult extends Spent {
  readonly id: string;
  readonly kind: Task['kind'];
  readonly passed: boolean;
  /** What was wrong; empty if the task is passed. */
  readonly reasons: readonly string[];
}

export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Reads all files of a vault, without hidden folders. */
export async function readFiles(folder: string): Promise<Files> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const visit = async (inner: string): Promise<void> => {
    for (const entry of await readdir(path.join(folder, inner), { withFileTypes: true })) {
      const at = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) await visit(at);
      else if (entry.isFile()) files.set(at.normalize('NFC'), new Uint8Array(await readFile(path.join(folder, at))));
    }
  };
  await visit('');
  return files;
}

/** @param model answers in the place of the model of the settings */
export async function playTask(files: Files, task: Task, model: Model, settings: Settings): Promise<TaskResult> {
  const adapter = new MemoryAdapter();
  const all = new Map(files);
  for (const [at, text] of Object.entries(task.notes ?? {})) all.set(at, new TextEncoder().encode(text));
  for (const [at, bytes] of all) adapter.writeOutside(at, bytes);
  const before = new Map([...all].map(([at, bytes]) => [at, new TextDecoder().decode(bytes)]));
  const app = await openApp(adapter, { bare: true });
  const docent = await openDocent(app, { settings });
  try {
    const chosen = task.window === undefined ? model : withWindow(model, task.window);
    const ports = { ...docent.ports, model: () => succeed(chosen) };
    const log = SessionLog.start(identifiers.next(), {
      ...{ store: forgetfulStore, clock, identifiers, digest },
      ...{ writer: 'eval', session: 'eval' },
    });
    const chat = await Chat.open(log, ports);
    await chat.choose({ ...task.choices, model: model.description.id });
    const reasons: string[] = [];
    let answers = '';
    for (const ask of task.asks) {
      const turn = await playTurn(chat, log, ask);
      answers += `${turn.answer}\n`;
      const seen: Evidence = { ...turn, answers, before, after: await readTexts(adapter) };
      if (turn.failure !== null) reasons.push(turn.failure);
      reasons.push(...ask.checks.flatMap((check) => check(seen) ?? []));
    }
    return { id: task.id, kind: task.kind, passed: reasons.length === 0, reasons, ...spentFor(log, chosen) };
  } finally {
    docent.close();
    await closeApp(app);
  }
}

/** Sends a message, waits for the end of the turn, and accepts and applies what it proposed. */
async function playTurn(
  chat: Chat,
  log: Pick<SessionLog, 'entries'>,
  { text, attach = [] }: Ask,
): Promise<Pick<Evidence, 'answer' | 'calls' | 'failure'>> {
  const from = log.entries.length;
  const mentions = attach.map((id) => ({ kind: 'note' as const, id, label: id }));
  const sent = await chat.send(text, mentions);
  if (!sent.ok) return { answer: '', calls: [], failure: describeFailure(sent.failure) };
  await untilRested(chat);
  const waits = (chat.current.reviews ?? []).some(({ state }) => state === 'waiting');
  const applied = waits ? await chat.changes?.apply() : undefined;
  const entries = log.entries.slice(from);
  const parts = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.parts : []));
  const failed = new Set(
    entries.flatMap((entry) => (entry.kind === 'tool-result' && entry.isError ? [entry.callId] : [])),
  );
  const failure = entries.flatMap((entry) => (entry.kind === 'failure' ? [describeFailure(entry.failure)] : [])).at(-1);
  return {
    answer: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [callOf(part, failed.has(part.id))] : [])),
    failure: failure ?? (applied?.ok === false ? describeFailure(applied.failure) : null),
  };
}

function callOf({ name, argumentsText }: ToolCallPart, isError: boolean): CallSeen {
  try {
    return { name, input: JSON.parse(argumentsText || '{}') as CallSeen['input'], isError };
  } catch {
    return { name, input: {}, isError };
  }
}

async function readTexts(adapter: MemoryAdapter): Promise<Map<string, string>> {
  const entries = await adapter.listTree('');
  const texts = new Map<string, string>();
  for (const { path: at, type } of entries) {
    if (type !== 'file' || at.startsWith('.')) continue;
    texts.set(at, new TextDecoder().decode(await adapter.readBinary(at)));
  }
  return texts;
}

function spentFor({ entries }: Pick<SessionLog, 'entries'>, { description }: Model): Spent {
  const usages = entries.flatMap((entry) => (entry.kind === 'assistant' ? [entry.usage] : []));
  const sum = (key: 'inputTokens' | 'outputTokens'): number =>
    usages.reduce((all, usage) => all + (usage?.[key] ?? 0), 0);
  return {
    requests: usages.length,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cost: description.prices === undefined ? null : spentIn(entries),
  };
}

function withWindow(model: Model, contextWindow: number): Model {
  return {
    description: { ...model.description, contextWindow: Math.min(contextWindow, model.description.contextWindow) },
    stream: (plan, signal) => model.stream(plan, signal),
  };
}

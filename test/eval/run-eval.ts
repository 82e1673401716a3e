/** What `npm run eval` does: plays the tasks with a model, and reports which it solved and what that took. */
import type { Model } from '../../src/core/ports/model';
import { openGate } from '../support/memory-ports';
import { decodeSettings, type Settings } from '../../src/core/settings/settings';
import { openModel } from '../../src/models/open';
import { findProvider, providers } from '../../src/models/providers';
import { timing } from '../../src/vault/device';
import { generateTasks } from './generated-tasks';
import { type Files, playTask, readFiles, type TaskResult } from './play-task';
import { type ScriptedName, scriptedModel, scriptedNames } from './scripted-models';
import { kinds, type Task } from './task';
import { tasks as demoTasks } from './tasks';

export interface EvalRequest {
  /** Real path of a vault whose tasks are made from its notes; the demo vault and its list if absent. */
  readonly vault?: string;
  readonly demoVault: string;
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
  /** The API key; empty for a server without one. */
  readonly key: string;
  readonly window?: number;
  readonly level?: 1 | 2 | 3 | 4 | 5;
  /** Ids of tasks; all if empty. */
  readonly only: readonly string[];
  readonly progress: (line: string) => void;
}

export interface EvalReport {
  readonly model: string;
  readonly passed: number;
  readonly tasks: readonly TaskResult[];
}

/** Words for the user: one sentence with its remedy. */
export class WrongEval extends Error {
  override name = 'UserError';
}

/** @throws WrongEval for an error that the user can fix */
export async function runEval(request: EvalRequest): Promise<EvalReport> {
  const files = await readFiles(request.vault ?? request.demoVault);
  const all = request.vault === undefined ? demoTasks : generateTasks(textsOf(files));
  const unknown = request.only.find((id) => !all.some((task) => task.id === id));
  if (unknown !== undefined) {
    throw new WrongEval(`There is no task “${unknown}”: choose from ${all.map(({ id }) => id).join(', ')}.`);
  }
  if (all.length === 0)
    throw new WrongEval('No task can be made from this vault: it needs notes with whole sentences.');
  const settings = settingsFor(request);
  const results: TaskResult[] = [];
  for (const task of all.filter(({ id }) => request.only.length === 0 || request.only.includes(id))) {
    const result = await playTask(files, task, modelFor(request, task, settings), settings);
    request.progress(
      `${result.passed ? 'passed' : 'FAILED'}  ${task.id}${result.reasons.map((reason) => `\n        ${reason}`).join('')}`,
    );
    results.push(result);
  }
  const passed = results.filter((result) => result.passed).length;
  return { model: `${request.provider}/${request.model}`, passed, tasks: results };
}

function textsOf(files: Files): ReadonlyMap<string, string> {
  const notes = [...files].filter(([path]) => path.endsWith('.md'));
  return new Map(notes.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}

function settingsFor({ provider, model, baseUrl, window, level }: EvalRequest): Settings {
  const id = `${provider}/${model}`;
  const { settings } = decodeSettings(null);
  return {
    ...settings,
    model: id,
    ...(level === undefined ? {} : { tier: level }),
    ...(window === undefined ? {} : { contextWindow: window }),
    providers: {
      ...settings.providers,
      [provider]: { ...settings.providers[provider], keyName: 'eval', ...(baseUrl === undefined ? {} : { baseUrl }) },
    } as Settings['providers'],
  };
}

function modelFor(request: EvalRequest, task: Task, settings: Settings): Model {
  const { provider, model: name, key } = request;
  if (provider === 'scripted') {
    if (!isScripted(name))
      throw new WrongEval(`There is no scripted model “${name}”: choose from ${scriptedNames.join(', ')}.`);
    return scriptedModel(name, task);
  }
  if (findProvider(provider) === undefined) {
    const known = providers.map(({ id }) => id).join(', ');
    throw new WrongEval(`There is no provider “${provider}”: choose from ${known}, scripted.`);
  }
  const opened = openModel(settings.model, settings, {
    transport: { fetch: (url, init) => fetch(url, init) },
    timing,
    gate: openGate(key === '' ? null : key),
  });
  if (!opened.ok) throw new WrongEval(`${opened.failure.words} ${opened.failure.remedy}`);
  return opened.value;
}

function isScripted(name: string): name is ScriptedName {
  return (scriptedNames as readonly string[]).includes(name);
}

/** Formats the report: a row for each kind of task, the failed tasks with the reasons, and the sums. */
export function formatReport({ model, passed, tasks }: EvalReport): string {
  const heads = ['kind', 'passed', 'requests', 'tokens in', 'tokens out', 'price'];
  const groups = [
    ...kinds.map((kind) => [kind, tasks.filter((task) => task.kind === kind)] as const),
    ['all', tasks] as const,
  ];
  const rows = groups.flatMap(([name, own]) => {
    if (own.length === 0) return [];
    const sum = (key: 'requests' | 'inputTokens' | 'outputTokens'): string =>
      String(own.map((task) => task[key]).reduce((all, each) => all + each, 0));
    const good = own.filter((task) => task.passed).length;
    return [[name, `${good} of ${own.length}`, sum('requests'), sum('inputTokens'), sum('outputTokens'), priceOf(own)]];
  });
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  const failed = tasks.filter((task) => !task.passed).map(({ id, reasons }) => `${id}: ${reasons.join('; ')}`);
  return [
    `${model}: ${passed} of ${tasks.length} tasks`,
    '',
    line(heads),
    ...rows.map(line),
    ...(failed.length === 0 ? [] : ['', 'Failed:', ...failed]),
    '',
  ].join('\n');
}

function priceOf(tasks: readonly TaskResult[]): string {
  if (tasks.some(({ cost }) => cost === null)) return 'unknown';
  return `$${tasks.reduce((sum, { cost }) => sum + (cost ?? 0), 0).toFixed(4)}`;
}

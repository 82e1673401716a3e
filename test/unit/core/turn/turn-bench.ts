/** Runs a turn over a scripted model and a log in memory, and keeps what came of it. */
import { SentEscapes } from '../../../../src/core/markup/escapes';
import { fail, succeed } from '../../../../src/core/ports/failure';
import { modeTemplate, modeTemplateSection } from '../../../../src/core/prompt/sections/mode';
import { foldMessages } from '../../../../src/core/request/history';
import { planRequest } from '../../../../src/core/request/plan-request';
import type { EntryBody } from '../../../../src/core/session/entry';
import { runTurn } from '../../../../src/core/turn/run-turn';
import type { TurnEvent, TurnInput } from '../../../../src/core/turn/turn-input';
import { entry, user } from '../../../support/entries';
import { fakeVault } from '../../../support/fake-vault';
import { goalBench } from '../../../support/goals';
import { noSpace, roughTokenizer } from '../../../support/memory-ports';
import { type ScriptedModel, type Step, scriptedModel } from '../../../support/scripted-model';
import { noSubagents } from '../../../support/subagents';
import { type TestTools, testTools } from '../../../support/test-tools';

export interface TurnOptions {
  readonly question?: string;
  readonly contextWindow?: number;
  /** False for a model that writes its calls as text. */
  readonly nativeTools?: boolean;
  /** Number of the record, from 1, that cannot be stored. */
  readonly failingRecord?: number;
  readonly abort?: AbortController;
  /** Whether the app goes to the background while the model answers. */
  readonly isAway?: boolean;
  /** What the turn runs on in place of what it runs on by default. */
  readonly input?: Partial<TurnInput>;
  onEvent?(event: TurnEvent): void;
}

export interface TurnOutcome {
  readonly events: TurnEvent[];
  readonly records: EntryBody[];
  readonly model: ScriptedModel;
  readonly kit: TestTools;
  readonly end: string;
}

export async function runScript(
  answers: readonly (readonly Step[])[],
  options: TurnOptions = {},
): Promise<TurnOutcome> {
  const { question = 'What about tea?', contextWindow = 16_384, failingRecord = 0, nativeTools = true } = options;
  const model = scriptedModel(answers, { contextWindow, nativeTools });
  const kit = testTools();
  const records: EntryBody[] = [user(question)];
  const facts = new Map([[modeTemplate, 'You are a careful reader.']]);
  let asked = 0;
  const turn = runTurn({
    model,
    tools: kit.tools,
    vault: fakeVault({}),
    place: { skillFolders: ['Docent/skills'], goals: goalBench().goals, subagents: noSubagents },
    sent: new SentEscapes(),
    hooks: { beforeModel: () => Promise.resolve({ changes: [], reports: [] }) },
    appendContext: () => Promise.resolve({ additions: [], reports: [] }),
    plan: () =>
      planRequest({
        conversationId: 'c1',
        model: model.description,
        tier: 3,
        sections: [modeTemplateSection],
        facts,
        messages: foldMessages(records.map((body) => entry(body))),
        tools: kit.tools,
        tokenizer: roughTokenizer,
      }),
    record: async (body) => {
      await Promise.resolve();
      asked += 1;
      if (asked === failingRecord) return fail(noSpace);
      records.push(body);
      return succeed(undefined);
    },
    watchAway: () => () => options.isAway === true,
    signal: (options.abort ?? new AbortController()).signal,
    ...options.input,
  });
  const events: TurnEvent[] = [];
  for await (const event of turn) {
    events.push(event);
    options.onEvent?.(event);
  }
  const last = events.at(-1);
  return { events, records, model, kit, end: last?.type === 'turn-ended' ? last.end : 'not ended' };
}

export function kindsOf(records: readonly EntryBody[]): string[] {
  return records.map(({ kind }) => kind);
}

/** The texts of the results, in order; errors marked. */
export function resultsOf(records: readonly EntryBody[]): string[] {
  return records.flatMap((body) => (body.kind === 'tool-result' ? `${body.isError ? '!' : ''}${body.text}` : []));
}

export function failureOf(records: readonly EntryBody[]) {
  return records.find((body) => body.kind === 'failure')?.failure;
}

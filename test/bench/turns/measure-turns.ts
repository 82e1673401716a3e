/**
 * Whole turns with a small scripted model: at 2K a question answered from the hits of a search, at 4K one answered from
 * a note, from 8K on an edit that is reviewed and on disk; in each mode, with native tools and with calls in text.
 */
import type { App } from 'obsidian';
import type { Chat } from '../../../src/core/chat/chat';
import { describeFailure, succeed } from '../../../src/core/ports/failure';
import { textOf } from '../../../src/core/ports/message';
import type { Model, ModelDescription, Tokenizer } from '../../../src/core/ports/model';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { type ModeId, modeIds } from '../../../src/core/settings/mode';
import type { Settings } from '../../../src/core/settings/settings';
import { untilRested } from '../../support/until-rested';
import { type Docent, openDocent } from '../open-docent';
import { drawQuestions, hasWords, type TurnQuestion } from './draw-questions';
import { givingUp, mark, smallModel, type TurnKind, writeQuestion } from './small-model';

/** All figures are tokens by o200k, counted exactly, each the maximum over the turns of the row. */
export interface TurnFigures {
  readonly window: number;
  readonly mode: ModeId;
  readonly tools: 'native' | 'text';
  readonly turn: TurnKind;
  readonly asked: number;
  readonly finished: number;
  /** Turns whose edit the permission mode of the vault does not allow. */
  readonly forbidden: number;
  readonly max_requests: number;
  readonly max_request: number;
  /** The tokens that a prompt may use after space for the answer is reserved. */
  readonly room: number;
  /** Of all tool results in one request. */
  readonly max_results: number;
  /** Why turns are forbidden, in words. */
  readonly reasons: readonly string[];
  /** The turns that should finish and do not, in words; empty when all is well. */
  readonly broken: readonly string[];
}

const kindOfWindow: readonly (readonly [window: number, kind: TurnKind])[] = [
  [2_048, 'snippets'],
  [4_096, 'read'],
  [8_192, 'edit'],
  [16_384, 'edit'],
  [32_768, 'edit'],
];

interface Cell {
  readonly window: number;
  readonly kind: TurnKind;
  readonly mode: ModeId;
  readonly tools: 'native' | 'text';
}

type Verdict = { readonly end: 'finished' } | { readonly end: 'unfinished' | 'forbidden'; readonly reason: string };

interface TurnRun {
  readonly question: TurnQuestion;
  readonly verdict: Verdict;
  readonly plans: readonly RequestPlan[];
}

interface TurnPlace extends TurnInput {
  readonly docent: Docent;
  /** Sets the model of the chats from now on. */
  setModel(model: Model): void;
}

export interface TurnInput {
  /** Its notes are as before afterwards. */
  readonly app: App;
  readonly settings: Settings;
  readonly tokenizer: Tokenizer;
  /** Some of the windows, instead of all. */
  readonly windows?: readonly number[];
}

/** @param count questions per row, as far as the vault has notes to ask for */
export async function measureTurns(input: TurnInput, count: number): Promise<TurnFigures[]> {
  const { app, settings, tokenizer } = input;
  let current = smallModel('read', describeModel({ window: 2_048, tools: 'native' })) as Model;
  const docent = await openDocent(app, { settings, tokenizer, model: () => succeed(current) });
  const place = { ...input, docent, setModel: (model: Model) => void (current = model) };
  try {
    return await measureRows(place, count);
  } finally {
    docent.close();
  }
}

async function measureRows(place: TurnPlace, count: number): Promise<TurnFigures[]> {
  const { docent, settings } = place;
  // These are in the prompt anyway, and would be found without a search.
  const isAsked = ({ path }: { readonly path: string }): boolean =>
    !path.startsWith(`${settings.agentFolder}/`) && !settings.contextFiles.some((name) => path.endsWith(name));
  const questions = await drawQuestions(docent.vault, count, isAsked);
  const figures: TurnFigures[] = [];
  for (const [window, kind] of kindOfWindow) {
    if (place.windows?.includes(window) === false) continue;
    for (const mode of modeIds) {
      for (const tools of ['native', 'text'] as const) {
        const cell = { window, kind, mode, tools };
        const runs: TurnRun[] = [];
        for (const question of questions) runs.push(await runTurn(place, cell, question));
        figures.push(addUp(cell, runs, place.tokenizer));
      }
    }
  }
  return figures;
}

async function runTurn(place: TurnPlace, cell: Cell, question: TurnQuestion): Promise<TurnRun> {
  const model = smallModel(cell.kind, describeModel(cell));
  place.setModel(model);
  const chat = await place.docent.startChat();
  try {
    await chat.choose({ mode: cell.mode, tier: 'auto' });
    await ask(chat, writeQuestion(cell.kind, question.words));
    return { question, verdict: await judge(chat, place, cell.kind, question), plans: model.plans };
  } finally {
    chat.close();
  }
}

/** A model on a server of one's own, of which only the context window is known. */
function describeModel({ window, tools }: Pick<Cell, 'window' | 'tools'>): ModelDescription {
  return {
    id: 'local/small',
    label: 'small',
    contextWindow: window,
    outputLimit: window,
    nativeTools: tools === 'native',
    cachesPrompts: false,
  };
}

async function ask(chat: Chat, text: string): Promise<void> {
  const sent = await chat.send(text, []);
  if (!sent.ok) throw new Error(describeFailure(sent.failure));
  await untilRested(chat);
}

async function judge(chat: Chat, place: TurnPlace, kind: TurnKind, question: TurnQuestion): Promise<Verdict> {
  const { items } = chat.current;
  const failed = items.find((item) => item.type === 'failure');
  if (failed?.type === 'failure') return { end: 'unfinished', reason: failed.failure.words };
  const said = items.flatMap((item) => (item.type === 'answer' ? item.parts : []));
  const text = said.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const { permission } = place.settings;
  const end = kind === 'edit' && permission !== 'review' ? 'forbidden' : 'unfinished';
  const gaveUp = text.indexOf(givingUp);
  if (gaveUp >= 0) return { end, reason: text.slice(gaveUp + givingUp.length).replace(/\.$/, '') };
  if (kind === 'edit') return judgeEdit(chat, place, question);
  return isAnswer(text, kind, question)
    ? { end: 'finished' }
    : { end: 'unfinished', reason: 'the answer quotes another text' };
}

/** A hit of a search may show a part of the line: what was asked for must be in it, and nothing else. */
function isAnswer(text: string, kind: TurnKind, { path, line, words }: TurnQuestion): boolean {
  const [quoted = '', source] = text.split('\n\nSource: ');
  const said = quoted.slice(quoted.lastIndexOf('\n') + 1);
  if (source !== `[[${path.replace(/\.md$/, '')}]]`) return false;
  return said === line || (kind === 'snippets' && line.includes(said) && hasWords(said, words));
}

/** Accepts the review, compares the disk with what was asked for, and undoes it for the turns that follow. */
async function judgeEdit(chat: Chat, { app }: TurnPlace, { path, line }: TurnQuestion): Promise<Verdict> {
  const refuse = (reason: string): Verdict => ({ end: 'unfinished', reason });
  const { changes } = chat;
  const review = chat.current.reviews?.at(-1);
  if (changes === null || review?.state !== 'waiting') return refuse('no change waits for the review');
  const { adapter } = app.vault;
  const before = await adapter.read(path);
  const written = new Set<string>();
  const events = (['modify', 'create', 'delete'] as const).map((event) =>
    app.vault.on(event as 'modify', (file) => void written.add(file.path)),
  );
  const applied = await changes.apply();
  for (const event of events) app.vault.offref(event);
  if (!applied.ok) return refuse(describeFailure(applied.failure));
  const after = await adapter.read(path);
  const undone = await changes.undo(review.id);
  if (!undone.ok || (await adapter.read(path)) !== before) return refuse('the change cannot be undone');
  if ([...written].some((each) => each !== path)) return refuse(`also written: ${[...written].join(', ')}`);
  const wanted = before.split(line).join(line + mark);
  return after === wanted ? { end: 'finished' } : refuse('the note on disk is changed in another way');
}

function addUp({ window, mode, tools, kind }: Cell, runs: readonly TurnRun[], tokenizer: Tokenizer): TurnFigures {
  const plans = runs.flatMap((run) => run.plans);
  const max = (figures: readonly number[]): number => figures.reduce((most, figure) => Math.max(most, figure), 0);
  const reasonsOf = (end: Verdict['end']): string[] =>
    runs.flatMap(({ verdict, question }) =>
      verdict.end === end && 'reason' in verdict ? [`${question.path}: ${verdict.reason}`] : [],
    );
  const ended = (end: Verdict['end']): number => runs.filter(({ verdict }) => verdict.end === end).length;
  return {
    window,
    mode,
    tools,
    turn: kind,
    asked: runs.length,
    finished: ended('finished'),
    forbidden: ended('forbidden'),
    max_requests: max(runs.map((run) => run.plans.length)),
    max_request: max(plans.map(({ totals }) => totals.all)),
    room: max(plans.map(({ totals }) => totals.window - totals.reserve)),
    max_results: max(plans.map((plan) => resultTokens(plan, tokenizer))),
    reasons: reasonsOf('forbidden'),
    broken: reasonsOf('unfinished'),
  };
}

function resultTokens({ messages }: RequestPlan, tokenizer: Tokenizer): number {
  const results = messages.filter(
    (message) => message.role === 'tool' || (message.role === 'user' && message.carriesResults === true),
  );
  return results.reduce((sum, { parts }) => {
    const texts = parts.map((part) => (part.type === 'tool-result' ? part.text : textOf([part])));
    return sum + tokenizer.count(texts.join('\n'));
  }, 0);
}

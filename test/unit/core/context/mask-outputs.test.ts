/** @jest-environment node */
import { listItems } from '../../../../src/core/context/compaction/list-items';
import { maskAll, type MaskLimits, outputsToMask } from '../../../../src/core/context/compaction/clear-old-parts';
import { tokensByRule } from '../../../../src/core/markup/budget';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { foldLog, visibleEntries } from '../../../../src/core/request/history';
import { formatToolResult, type ResultEntry } from '../../../../src/core/request/history-text';
import type { EntryBody, FormChange, Mention, SessionEntry } from '../../../../src/core/session/entry';
import { targetOf } from '../../../../src/core/session/log-state';
import { answer, entry, result, toolCall, user } from '../../../support/entries';
import { roughTokenizer } from '../../../support/memory-ports';

/** A picture of 600 tokens, as a server returns it. */
const picture: Mention = {
  kind: 'image',
  id: 'Picture 1',
  label: 'Picture 1',
  apart: true,
  image: { digest: 'a'.repeat(64), mediaType: 'image/png', width: 750, height: 600, bytes: 9, conversation: 'c1' },
};
/** A text of 1,000 tokens by the rule. */
const long = 'boat '.repeat(800);

const logOf = (...bodies: EntryBody[]): SessionEntry[] => bodies.map((body) => entry(body));
const cleared = (log: SessionEntry[], limits: MaskLimits = maskAll, from?: 'turn' | 'answer'): FormChange[] =>
  outputsToMask(log, visibleEntries(log), limits, from);
const masked = (of: SessionEntry | undefined): FormChange => ({
  target: targetOf.result(of?.id ?? ''),
  form: 'masked',
});
const withPicture = (text: string): EntryBody => ({ ...result('a', text), images: [picture] }) as EntryBody;

describe('results to clear', () => {
  it('R218 R243 are those with images too, however short their text is', () => {
    const log = logOf(user('1'), answer(toolCall('a')), withPicture('Done.'), answer('Seen.'), user('2'));
    const forms = cleared(log);
    expect(forms).toEqual([masked(log[2])]);
    const imagesIn = (entries: SessionEntry[]): number =>
      foldLog(entries).flatMap(({ parts }) => parts.filter(({ type }) => type === 'image')).length;
    const after = [...log, entry({ kind: 'context-forms', forms, by: 'window' })];
    expect([imagesIn(log), imagesIn(after)]).toEqual([1, 0]);
    const short = logOf(user('1'), answer(toolCall('a')), result('a', 'Done.'), answer('Seen.'), user('2'));
    expect(cleared(short)).toEqual([]);
  });

  it('R218 show in the list of the context what their images take, and what clearing frees', () => {
    const log = logOf(user('1'), answer(toolCall('a')), withPicture('Done.'), answer('Seen.'), user('2'));
    const plan = { blocks: [], totals: { all: 2_000, window: 8_000, reserve: 500 } } as unknown as RequestPlan;
    const choices = { contextNotes: [], sectionsOff: [] };
    const item = listItems({ entries: log, choices, plan, tokenizer: roughTokenizer }).find(
      ({ kind }) => kind === 'result',
    );
    expect(item?.tokens).toBeGreaterThan(600);
    expect(item?.acts.find(({ act }) => act === 'dropped')?.effect).toBeLessThan(-550);
    expect(item?.acts.find(({ act }) => act === 'pinned')?.effect).toBe(0);
  });

  it('R243 are older than the newest ones, whose tokens stay up to the limit', () => {
    const log = logOf(
      ...[user('1'), answer(toolCall('a'), toolCall('b')), result('a', long), result('b', long)],
      ...[answer('Read.'), user('2')],
    );
    expect(cleared(log, { protect: 1_000, least: 1 })).toEqual([masked(log[2])]);
    expect(cleared(log, { protect: 999, least: 1 })).toEqual([masked(log[2]), masked(log[3])]);
    expect(cleared(log, { protect: 2_000, least: 1 })).toEqual([]);
  });

  it('R243 are none if they free too little', () => {
    const log = logOf(user('1'), answer(toolCall('a')), result('a', long), answer('Read.'), user('2'));
    const of = log[2] as ResultEntry;
    const won = tokensByRule(long) - tokensByRule(formatToolResult(of, 'masked'));
    expect(cleared(log, { protect: 0, least: won })).toEqual([masked(of)]);
    expect(cleared(log, { protect: 0, least: won + 1 })).toEqual([]);
  });

  it('R243 are before the newest message, or before its newest answer', () => {
    const log = logOf(
      ...[user('1'), answer(toolCall('a')), result('a', long), answer(toolCall('b')), result('b', long)],
    );
    expect(cleared(log)).toEqual([]);
    expect(cleared(log, maskAll, 'answer')).toEqual([masked(log[2])]);
  });

  it.each(['activate_skill', 'ask_user', 'exit_plan_mode'])('never are results of %s', (name) => {
    const log = logOf(user('1'), answer(toolCall('a', name)), { ...result('a', long), name } as EntryBody, user('2'));
    expect(cleared(log)).toEqual([]);
  });

  it('are none with a form of their own, unless it is whole', () => {
    const log = logOf(user('1'), answer(toolCall('a')), result('a', long), user('2'));
    const as = (form: FormChange['form']): FormChange[] => {
      const forms = [{ target: targetOf.result(log[2]?.id ?? ''), form }];
      return cleared([...log, entry({ kind: 'context-forms', forms, by: 'user' })]);
    };
    expect([as('whole'), as('pinned'), as('outline')].map(({ length }) => length)).toEqual([1, 0, 0]);
  });
});

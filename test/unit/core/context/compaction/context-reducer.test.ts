/** What changes of the context store, what is then planned again, and how cleared results are read. */
import { ContextReducer, ResultCaps } from '../../../../../src/core/context/compaction/context-reducer';
import { snapshotPartNames } from '../../../../../src/core/context/compaction/snapshot';
import { fail, type Outcome, succeed } from '../../../../../src/core/ports/failure';
import { tinyWindow } from '../../../../../src/core/ports/model';
import type { EntryBody, SessionEntry, Snapshot, SummaryBody } from '../../../../../src/core/session/entry';
import { targetOf } from '../../../../../src/core/session/log-state';
import { words } from '../../../../../src/text';
import { answer, entry, result, toolCall, user } from '../../../../support/entries';

const snapshot = Object.fromEntries(snapshotPartNames.map((name) => [name, `about ${name}`])) as Snapshot;
const summaryOf = (...covers: readonly SessionEntry[]): SummaryBody => ({
  ...{ kind: 'summary', snapshot, covers: covers.map(({ id }) => id), by: 'extraction', trigger: 'manual', focus: '' },
  ...{ before: 100, after: 10, removed: 2, kept: 2, paths: [], skills: [] },
});

const talk = (): SessionEntry[] =>
  [user('One?'), answer('One.'), user('Two?'), answer('Two.'), user('Three?'), answer('Three.')].map((body) =>
    entry(body),
  );

/** A chat over these entries that says what is done to it. */
function open(entries: readonly SessionEntry[], stored: Outcome<unknown> = succeed({ id: 'new' })) {
  const done: (string | EntryBody)[] = [];
  const chat = {
    log: { entries },
    record: (body: EntryBody) => {
      done.push(body);
      return Promise.resolve(stored);
    },
    context: { forgetSent: () => done.push('forget what was sent'), repin: () => done.push('choose the tier again') },
  };
  return { done, reducer: new ContextReducer(chat as unknown as ConstructorParameters<typeof ContextReducer>[0]) };
}

const failed = fail({ kind: 'storage', words: 'No room.', remedy: '' });

describe('a form that the user chooses', () => {
  const sectionForm = { target: targetOf.section('git'), form: 'pinned' } as const;
  const exchangeForm = { target: targetOf.exchange('e1'), form: 'dropped' } as const;
  const body = (...forms: readonly object[]) => ({ kind: 'context-forms', forms, by: 'user' });

  it('leaves what was sent as it is only where it is of the prompt', async () => {
    const ofPrompt = open([]);
    await ofPrompt.reducer.change([sectionForm, { ...sectionForm, target: targetOf.pinnedNote('A.md') }]);
    expect(ofPrompt.done).toHaveLength(1);
    const ofBoth = open([]);
    await ofBoth.reducer.change([sectionForm, exchangeForm]);
    expect(ofBoth.done).toEqual([body(sectionForm, exchangeForm), 'forget what was sent']);
  });

  it('changes nothing where it cannot be stored', async () => {
    const { done, reducer } = open([], failed);
    expect(await reducer.change([exchangeForm])).toBe(failed);
    expect(done).toEqual([body(exchangeForm)]);
  });
});

describe('a summary', () => {
  it('is undone only while it is in force', async () => {
    const entries = talk();
    const old = entry(summaryOf(...entries.slice(0, 2)));
    const current = entry(summaryOf(...entries.slice(0, 4)));
    const { done, reducer } = open([...entries, old, current]);
    expect(reducer.inForce?.id).toBe(current.id);
    expect(await reducer.undo(old.id)).toEqual(succeed(undefined));
    expect(done).toEqual([]);
    await reducer.undo(current.id);
    expect(done).toEqual([{ kind: 'summary-undone', summary: current.id }, 'forget what was sent']);
    expect(await open(entries).reducer.undo('none')).toEqual(succeed(undefined));
  });

  it('is changed in words, and the next request with it', async () => {
    const { done, reducer } = open(talk());
    await reducer.edit('sum', snapshot);
    expect(done).toEqual([{ kind: 'summary-edited', summary: 'sum', snapshot }, 'forget what was sent']);
  });

  it('is put in force with the words of the user, and the tier is chosen again', async () => {
    const entries = talk();
    const body = summaryOf(...entries.slice(0, 2));
    const edited = { ...snapshot, key_knowledge: 'Bolts: M10.' };
    const { done, reducer } = open(entries);
    expect((await reducer.accept({ body }, edited)).ok).toBe(true);
    expect(done).toEqual([{ ...body, snapshot: edited }, 'choose the tier again', 'forget what was sent']);
    const plain = open(entries, failed);
    expect(await plain.reducer.accept({ body })).toBe(failed);
    expect(plain.done).toEqual([body]);
  });

  it('is refused where the history is another one by now', async () => {
    const entries = talk();
    const [first, , third] = entries;
    const later = entry(summaryOf(...entries.slice(0, 4)));
    const outdated = { ok: false, failure: { kind: 'refused', words: words.status.outdated } };
    const missing = open(entries.slice(2));
    expect(await missing.reducer.accept({ body: summaryOf(first!, third!) })).toMatchObject(outdated);
    const shorter = open([...entries, later]);
    expect(await shorter.reducer.accept({ body: summaryOf(...entries.slice(0, 2)) })).toMatchObject(outdated);
    expect([missing.done, shorter.done]).toEqual([[], []]);
    expect((await shorter.reducer.accept({ body: summaryOf(...entries.slice(0, 5)) })).ok).toBe(true);
  });
});

describe('the results of tools', () => {
  const entries = [user('Which?'), answer(toolCall('a')), result('a', 'Seven.'), user('And now?'), answer('Oak.')].map(
    (body) => entry(body),
  );
  const [asked, , seven] = entries;
  const outputs = (window: number, all: readonly SessionEntry[] = entries) =>
    open(all).reducer.outputs(new ResultCaps(window));

  it('are read by their handle, and nothing else is', () => {
    const { read } = outputs(100_000);
    expect([read(seven?.id ?? ''), read(asked?.id ?? ''), read('none')]).toEqual([seven, null, null]);
  });

  it('are chosen by the newest question, and not sent twice, where a window holds only few', () => {
    const [tiny, large] = [outputs(tinyWindow), outputs(tinyWindow + 1)];
    expect([tiny.matching?.question, large.matching]).toEqual(['And now?', undefined]);
    expect(tiny.matching?.tokens).toBe(new ResultCaps(tinyWindow).matchingTokens);
    expect([tiny.tokens, large.tokens]).toEqual(
      [tinyWindow, tinyWindow + 1].map((size) => new ResultCaps(size).tokens),
    );
    expect(['Seven.', 'Oak.', 'Eight.'].map((text) => tiny.isShown?.(text))).toEqual([true, false, false]);
    expect(large.isShown?.('Seven.')).toBe(false);
    const forms = [{ target: targetOf.exchange(asked?.id ?? ''), form: 'dropped' as const }];
    const left = outputs(tinyWindow, [...entries, entry({ kind: 'context-forms', forms, by: 'window' })]);
    expect(left.isShown?.('Seven.')).toBe(false);
    expect(outputs(tinyWindow, []).matching?.question).toBe('');
  });
});

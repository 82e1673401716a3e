/** What the log of a chat holds of its changes, in which order, and what a restart makes of it. */
import { type Failure, fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import type { WritingPorts } from '../../../../src/core/writing/apply/write-steps';
import { ChatChanges } from '../../../../src/core/writing/chat-changes';
import { foldChanges } from '../../../../src/core/writing/changeset/change-log';
import { pathOf, reviewChangeset } from '../../../../src/core/writing/changeset/changeset';
import { Provenance } from '../../../../src/core/writing/guard/provenance';
import { guardWritablePath } from '../../../../src/core/writing/guard/path-guard';
import { createWriteQueue } from '../../../../src/core/writing/apply/write-steps';
import { words } from '../../../../src/text';
import { fakeVault } from '../../../support/fake-vault';
import { countingIdentifiers, digest, fakeClock } from '../../../support/memory-ports';
import { yaml } from '../../../support/writing-bench';

const noJournal: Failure = { kind: 'storage', words: 'There is no journal.', remedy: '' };

/** The changes of a chat over a vault in memory, whose disk takes an entry of the log when the test says so. */
function bench(files: Readonly<Record<string, string>>) {
  const under = fakeVault(files);
  const looks: string[] = [];
  const entries: SessionEntry[] = [];
  /** Lets the disk take the entries that wait for it; null while it takes all at once. */
  let held: (() => void)[] | null = null;
  let refusals = 0;
  const record = async (body: EntryBody): Promise<Outcome<void>> => {
    if (held !== null) await new Promise<void>((resolve) => held?.push(resolve));
    if (refusals > 0) {
      refusals -= 1;
      return fail(noJournal);
    }
    entries.push({ ...body, id: `e${entries.length}`, time: entries.length } as unknown as SessionEntry);
    return succeed(undefined);
  };
  const ports: WritingPorts = {
    staging: {
      ...{ digest, identifiers: countingIdentifiers('new'), clock: fakeClock(), yaml },
      guardNew: (path) => guardWritablePath(path, '.obsidian', () => false),
      hashFile: async (path) => succeed(digest(`bytes of ${path}`)),
      linksFollowMoves: () => true,
      danglingSources: () => [],
    },
    queue: createWriteQueue(),
    writer: async () => {
      looks.push('journal');
      return fail(noJournal);
    },
    untrusted: {} as Provenance,
    moves: { find: () => null },
    places: () => ({ plans: 'Docent/plans/', instructions: [] }),
    canAsk: () => true,
  };
  const changes = new ChatChanges({
    ...{ log: { entries }, under, ports, record },
    isRunning: () => false,
    permission: () => 'review',
    workspaceFolder: () => null,
    forget: () => undefined,
    show: () => undefined,
    applied: async () => succeed(undefined),
  });
  let count = 0;
  return {
    ...{ under, entries, changes, looks },
    call: () => ({ id: `call${(count += 1)}`, tool: 'edit_note', arguments: { count } }),
    hold: () => void (held = []),
    /** Has the disk refuse the next entries. */
    fillUp: (count: number) => void (refusals = count),
    release: () => {
      for (const take of held?.splice(0) ?? []) take();
      held = null;
    },
    /** What would wait after a restart. */
    stored: () => (foldChanges(entries, digest).pending?.changes ?? []).map(pathOf),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

it('stores what the agent stages while the move of another note is being stored', async () => {
  const { under, changes, call, hold, release, stored } = bench({ 'A.md': 'One.\n', 'B.md': 'Two.\n' });
  const writes = changes.startTurn();
  await changes.reading.read('A.md');
  await writes(call()).edit('A.md', 'One.', 'Uno.');
  await changes.endStep();
  expect(stored()).toEqual(['A.md']);
  hold();
  under.put('C.md', 'One.\n');
  under.remove('A.md');
  changes.heard(['A.md', 'C.md'], [{ from: 'A.md', to: 'C.md' }]);
  await writes(call()).create('New.md', 'Fresh.\n');
  release();
  await settle();
  await changes.endStep();
  expect(stored()).toEqual(['C.md', 'New.md']);
});

it('stores that the agent took a change back while the move of its note was being stored', async () => {
  const { under, changes, call, hold, release, stored } = bench({ 'A.md': 'One.\n' });
  const writes = changes.startTurn();
  await changes.reading.read('A.md');
  await writes(call()).edit('A.md', 'One.', 'Uno.');
  await changes.endStep();
  hold();
  under.put('C.md', 'One.\n');
  under.remove('A.md');
  changes.heard(['A.md', 'C.md'], [{ from: 'A.md', to: 'C.md' }]);
  expect(await writes(call()).edit('C.md', 'Uno.', 'One.')).toMatchObject({ ok: true });
  release();
  await settle();
  await changes.endStep();
  expect(changes.staged.changeset()).toBeNull();
  expect(stored()).toEqual([]);
});

describe('what the user rejected in a note that the agent then edits further', () => {
  const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n\n\n`).join('');
  const edited = async (...edits: readonly (readonly [string, string])[]) => {
    const opened = bench({ 'A.md': lines('One.', 'Two.', 'Three.', 'Four.') });
    const { changes, call } = opened;
    const edit = (from: string, to: string) => changes.startTurn()(call()).edit('A.md', from, to);
    await changes.reading.read('A.md');
    for (const [from, to] of edits) await edit(from, to);
    const now = () => changes.reviews.at(-1)!.changes[0]!;
    const accepted = (): string | null | undefined =>
      reviewChangeset({ id: '', changes: [now().change] }, () => now().decision).accepted.changes[0]?.text;
    return { ...opened, edit, accepted, reject: (hunk: number) => changes.decide(now().change.id, { hunk }, false) };
  };

  it('stays rejected, though it has another number, and the rest accepted', async () => {
    const { edit, accepted, reject } = await edited(['Two.', 'Due.'], ['Four.', 'Quattro.']);
    reject(0);
    await edit('One.', 'Uno.');
    expect(accepted()).toBe(lines('Uno.', 'Two.', 'Three.', 'Quattro.'));
    reject(0);
    await edit('Due.\n\n\nThree.', 'Due.\n\n\nTre.');
    expect(accepted()).toBe(lines('One.', 'Two.', 'Tre.', 'Quattro.'));
  });

  it('stays rejected as a part of a longer passage', async () => {
    const { edit, accepted, reject } = await edited(['Two.', 'Due.'], ['Four.', 'Quattro.']);
    reject(0);
    await edit('Due.\n', 'Due.\nE mezzo.\n');
    expect(accepted()).toBe(lines('One.', 'Two.', 'Three.', 'Quattro.'));
  });

  it('stays rejected where the user has changed the note above it', async () => {
    const { under, edit, accepted, reject } = await edited(['Two.', 'Due.'], ['Four.', 'Quattro.']);
    reject(1);
    under.put('A.md', `New.\n\n\n${lines('One.', 'Two.', 'Three.', 'Four.')}`);
    expect(await edit('One.', 'Uno.')).toMatchObject({
      ok: false,
      failure: { remedy: expect.stringContaining('New.') },
    });
    await edit('One.', 'Uno.');
    expect(accepted()).toBe(lines('New.', 'Uno.', 'Due.', 'Three.', 'Four.'));
  });
});

describe('a note that may be edited without review', () => {
  const edited = async (files: Readonly<Record<string, string>>) => {
    const opened = bench(files);
    const { changes, call } = opened;
    const edit = async (path: string): Promise<void> => {
      await changes.reading.read(path);
      await changes.startTurn()(call()).edit(path, 'One.', 'Uno.');
    };
    const changeOf = (path: string) => changes.reviews.at(-1)?.changes.find(({ change }) => change.from === path);
    await edit('A.md');
    changes.grant(changeOf('A.md')?.change.id ?? '', true);
    expect(changeOf('A.md')?.granted).toBe(true);
    return { ...opened, edit, isGranted: (path: string) => changeOf(path)?.granted };
  };

  it('may be edited where it was moved, and no other note that takes its place', async () => {
    const { under, changes, edit, isGranted } = await edited({ 'A.md': 'One.\n', 'B.md': 'One.\n' });
    for (const [from, to] of [
      ['A.md', 'C.md'],
      ['B.md', 'A.md'],
    ] as const) {
      under.put(to, 'One.\n');
      under.remove(from);
      changes.heard([from, to], [{ from, to }]);
    }
    await edit('A.md');
    expect([isGranted('C.md'), isGranted('A.md')]).toEqual([true, false]);
  });

  it('loses that when the user takes it back', async () => {
    const { changes, isGranted } = await edited({ 'A.md': 'One.\n' });
    changes.grant(changes.reviews.at(-1)?.changes[0]?.change.id ?? '', false);
    expect(isGranted('A.md')).toBe(false);
  });

  it('loses that once it is gone', async () => {
    const { under, changes, edit, isGranted } = await edited({ 'A.md': 'One.\n', 'B.md': 'One.\n' });
    await changes.rejectAll('');
    changes.heard(['B.md'], []);
    under.remove('A.md');
    changes.heard(['A.md'], []);
    under.put('A.md', 'One. And more.\n');
    changes.heard(['A.md'], []);
    await edit('A.md');
    expect(isGranted('A.md')).toBe(false);
  });
});

it('refuses to apply, reject or undo what is not there', async () => {
  const { changes } = bench({ 'A.md': 'One.\n' });
  const { nothingWaits, nothingWaitsRemedy, undoUnknown, undoRemedy } = words.writing;
  const nothing = fail({ kind: 'refused', words: nothingWaits, remedy: nothingWaitsRemedy });
  expect([await changes.apply(), await changes.rejectAll('')]).toEqual([nothing, nothing]);
  const unknown = fail({ kind: 'refused', words: undoUnknown, remedy: undoRemedy });
  expect([await changes.undo('x'), await changes.redo('x')]).toEqual([unknown, unknown]);
});

it('says in the log when the changes of a step could not be stored, and stores them with the next step', async () => {
  const { changes, call, entries, fillUp, stored } = bench({ 'A.md': 'One.\n' });
  const writes = changes.startTurn();
  await writes(call()).create('New.md', 'New.\n');
  fillUp(1);
  expect(await changes.endStep()).toEqual(fail(noJournal));
  expect(entries).toMatchObject([{ kind: 'failure', failure: noJournal }]);
  await writes(call()).create('Newer.md', 'Newer.\n');
  await changes.endStep();
  expect(stored()).toContain('Newer.md');
});

it('looks at the journal again for files that a waiting change is about alone', async () => {
  const { changes, call, looks } = bench({ 'A.md': 'One.\n', 'B.md': 'Two.\n' });
  await changes.reading.read('A.md');
  await changes.startTurn()(call()).edit('A.md', 'One.', 'Uno.');
  await changes.endStep();
  for (let batch = 0; batch < 10; batch += 1) changes.heard(['B.md', 'C.md']);
  await settle();
  expect(looks).toEqual([]);
  changes.heard(['B.md', 'A.md']);
  await settle();
  expect(looks).toEqual(['journal']);
});

describe('what a message names', () => {
  const mention = (kind: string, id: string) =>
    ({ kind: 'user', text: '', mentions: [{ kind, id, label: '' }] }) as unknown as EntryBody;
  const edited = async (message: EntryBody) => {
    const { changes, call, entries } = bench({ 'A.MD': 'One.\n', 'B.md': 'Two.\n' });
    entries.push({ ...message, id: 'u', time: 0 } as unknown as SessionEntry);
    await changes.reading.read('A.MD');
    await changes.startTurn()(call()).edit('A.MD', 'One.', 'Uno.');
    await changes.endStep();
    return changes;
  };

  it.each([
    ['heading', 'A.MD#Part'],
    ['block', 'A.MD#^b1'],
    ['note', 'A.MD'],
  ])('is the note of a %s, in any letter case of its ending', async (kind, id) => {
    const badges = ({ reviews }: ChatChanges) => reviews.at(-1)?.changes[0]?.badges.map((badge) => badge.kind);
    expect(badges(await edited(mention(kind, id)))).toEqual(['large-removal']);
    expect(badges(await edited(mention('note', 'B.md')))).toEqual(['large-removal', 'outside-mentioned']);
  });

  it('is quoted with the changes, cut between two signs', async () => {
    const text = `${'x'.repeat(299)}🌊 and more`;
    const changes = await edited({ kind: 'user', text, mentions: [] } as unknown as EntryBody);
    expect(changes.pendingReview?.request).toBe(`${'x'.repeat(299)}…`);
  });
});

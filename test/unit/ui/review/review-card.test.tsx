/** @jest-environment jsdom */
/** The card of a review: what it shows of each shape of change, and what can be done by mouse and by key. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { type Failure, fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { decidePart, type Review, type ReviewActs } from '../../../../src/core/writing/review/review';
import { words } from '../../../../src/text';
import { ReviewSlot } from '../../../../src/ui/chat/transcript';
import { ReviewBar } from '../../../../src/ui/review/review-card';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';
import { ReviewState } from '../../../../src/ui/state/review-state';
import { changeOf, createOf, deleteOf, editOf, moveOf, reviewOf } from './fake-reviews';
import { sampleReview } from './sample-review';
import { hostileShapes, hostileText } from '../../hostile-text';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const say = words.review;
let root: HTMLElement;
let model: ReviewState;
let state = signal<{ reviews: readonly Review[]; running: boolean }>({ reviews: [], running: false });
let done: string[];
let answer: Outcome<void>;
/** What acts throw, which is a defect. */
let broken: Error | null;
let opened: string[];

/** Acts that change the review as the core does, and note what else was asked. */
const acts: ReviewActs = {
  decide(id, part, accept, reason) {
    done.push(`decide ${id} ${typeof part === 'string' ? part : part.hunk} ${accept}${reason ? ` ${reason}` : ''}`);
    const [review] = state.value.reviews;
    if (review === undefined) return;
    const changes = review.changes.map((each) =>
      each.change.id === id
        ? { ...each, decision: decidePart(each.change, each.decision, part, accept, reason) }
        : each,
    );
    state.value = { ...state.value, reviews: [{ ...review, changes }] };
  },
  editText: (id, text) => note(`edit ${id} ${JSON.stringify(text)}`),
  createAgain: (id) => note(`create again ${id}`),
  apply: () => note('apply'),
  rejectAll: (reason) => note(`reject ${reason}`),
  grant: (id, granted) => void done.push(`grant ${id} ${granted}`),
  undo: (review, change) => note(`undo ${review} ${change ?? 'all'}`),
  redo: (review, change) => note(`redo ${review} ${change ?? 'all'}`),
};

function note(what: string): Promise<Outcome<void>> {
  done.push(what);
  return broken === null ? Promise.resolve(answer) : Promise.reject(broken);
}

async function show(...reviews: readonly Review[]): Promise<void> {
  await createTestApp();
  done = [];
  opened = [];
  answer = succeed(undefined);
  broken = null;
  state = signal({ reviews, running: false });
  model = new ReviewState(state, () => acts);
  const openChat = {
    review: model,
    ports: { openNote: (path: string) => opened.push(path) },
  } as unknown as OpenChatState;
  root = document.body.createDiv();
  const ids = [...new Set(reviews.map(({ id }) => id))];
  act(() =>
    render(
      <>
        {ids.map((id) => (
          <ReviewSlot key={id} id={id} model={openChat} />
        ))}
        <ReviewBar model={openChat} />
      </>,
      root,
    ),
  );
  await settle();
}

const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 5)));
const all = <E extends Element = HTMLElement>(selector: string): E[] => [...root.querySelectorAll<E>(selector)];
const text = (selector: string): string =>
  all(selector)
    .map(({ textContent }) => textContent)
    .join('|');
const named = (name: string): HTMLElement => {
  const found = all('button, input, textarea, [role=group]').find(
    (one) => one.getAttribute('aria-label') === name || one.textContent === name,
  );
  if (found === undefined) throw new Error(`Nothing is named “${name}”.`);
  return found;
};
const click = async (name: string): Promise<void> => {
  act(() => named(name).click());
  await settle();
};
const press = async (key: string, init: KeyboardEventInit = {}): Promise<void> => {
  const target = document.activeElement ?? document.body;
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })));
  await settle();
};
const type = async (element: HTMLElement, value: string): Promise<void> => {
  (element as HTMLInputElement).value = value;
  act(() => void element.dispatchEvent(new InputEvent('input', { bubbles: true })));
  await settle();
};
const focused = (): string => document.activeElement?.getAttribute('aria-label') ?? '';

afterEach(async () => {
  act(() => render(null, root));
  root.remove();
  await closeTestApps();
});

describe('what is shown', () => {
  it('R220 says what becomes of each note, and counts parts and notes', async () => {
    await show(sampleReview());
    expect(text('.docent-review-headline')).toBe('11 changes in 4 notes');
    expect(all('.docent-review-change-head').map((head) => head.getAttribute('aria-label'))).toEqual([
      'Edited: Whimbrel refit',
      'New note: Keel bolts',
      'Moved: Yard',
      'Deleted: Old list',
    ]);
    expect(text('.docent-review-place')).toBe('Moves to People/The yard at Skagen.md');
    expect(text('.docent-review-move summary')).toBe('Updates links in 20 notes');
    expect(text('.docent-review-figures')).toBe('+9 −7|+12|+1 −1');
    expect(text('.docent-review-change.is-delete .docent-review-row del')).toContain('Varnish');
    expect(text('.docent-review-unseen')).toBe('{U+200B}');
    expect(text('.docent-review-properties tbody')).toContain('status');
    expect(text('.docent-review-table th')).toContain('Maker');
    expect(all('.docent-review-target').map((one) => one.textContent)).toContain('Whimbrel refit');
  });

  it('draws text of notes as text, whatever it holds', async () => {
    const hostile = '<img src=x onerror=alert(1)> ![x](https://evil.example/p.png) <script>alert(2)</script>\n';
    await show(reviewOf([editOf('Plain.\n', hostile), createOf('New.md', hostile), deleteOf('Old.md', hostile)]));
    expect(all('img, script, a, iframe')).toEqual([]);
    expect(root.textContent).toContain('<img src=x onerror=alert(1)>');
  });

  it('says that links break when the app leaves them, and that a file is no text', async () => {
    const move = moveOf('A.md', 'B/A.md', { linkedFrom: ['One.md', 'Two.md'] });
    await show(reviewOf([move, deleteOf('photo.png', null)], { linksFollowMoves: false }));
    expect(root.textContent).toContain(say.linksBreak(2));
    expect(root.textContent).toContain(say.notText);
  });

  it('draws the first of a long text, and more of it when asked', async () => {
    const long = Array.from({ length: 50_000 }, (_, index) => `Line ${index} of many words that say little.`).join(
      '\n',
    );
    await expectCostBelow(3_000, () => show(reviewOf([createOf('Long.md', long)])));
    expect(all('.docent-review-row')).toHaveLength(60);
    await click(say.moreLines(49_940));
    expect(all('.docent-review-row')).toHaveLength(300);
  });

  it('draws a dozen hunks of many, and more when asked', async () => {
    const before = Array.from({ length: 400 }, (_, index) => `Line ${index}.\n`);
    const after = before.map((line, index) => (index % 8 === 0 ? line.replace('Line', 'Row') : line));
    await show(reviewOf([editOf(before.join(''), after.join(''))]));
    expect(all('.docent-review-hunk')).toHaveLength(12);
    await click(say.moreHunks(38));
    expect(all('.docent-review-hunk')).toHaveLength(50);
    expect(all('.docent-review-more')).toEqual([]);
  });

  it('names a note and, apart from it, the folder that it lies in', async () => {
    await show(reviewOf([editOf('One.\n', 'Two.\n', { id: 'a' }), createOf('Stores.md', 'Rope.\n', { id: 'b' })]));
    const folderOf = (title: HTMLElement): string | undefined =>
      title.querySelector('.docent-review-folder')?.textContent;
    const titles = [...root.querySelectorAll<HTMLElement>('.docent-review-title')];
    expect(titles.map((title) => [title.textContent, folderOf(title)])).toEqual([
      ['Whimbrel Boats', 'Boats'],
      ['Stores', undefined],
    ]);
  });

  it('says what went on as it was applied', async () => {
    const change = editOf('One.\n', 'Two.\n', { id: 'a', state: 'applied', merged: true, altered: true });
    await show(reviewOf([change], { state: 'applied', unasked: true, reason: 'Later' }));
    expect(text('.docent-review-headline')).toBe('Applied to 1 note');
    expect(root.textContent).toContain(say.appliedUnasked);
    expect(root.textContent).toContain('Reason: Later');
    expect(all('.docent-review-body')).toEqual([]);
    act(() => all('.docent-review-name')[0]?.click());
    await settle();
    expect(root.textContent).toContain(say.merged);
    expect(root.textContent).toContain(say.altered);
  });
});

describe('what can be done', () => {
  const two = (): Review =>
    reviewOf([
      editOf('One line here.\nSame.\nTwo lines here.\n', 'One line there.\nSame.\nTwo lines there.\n', { id: 'a' }),
    ]);

  it('accepts and rejects by hunk and by note, and says in numbers what it will apply', async () => {
    await show(two());
    expect(named('Apply all 2 changes')).toBeDefined();
    await click('Accept line 3 of Whimbrel');
    expect(done).toEqual(['decide a 1 false']);
    expect(named('Apply 1 of 2 changes')).toBeDefined();
    expect(all<HTMLInputElement>('.docent-review-change-head input')[0]?.indeterminate).toBe(true);
    await click('Accept line 1 of Whimbrel');
    expect(named('Reject all 2 changes')).toBeDefined();
    await click('Accept all');
    expect(named('Apply all 2 changes')).toBeDefined();
    await click('Accept Edited: Whimbrel');
    expect(done.at(-1)).toBe('decide a all false');
    expect(text('.docent-review-change-head .docent-review-mark')).toBe('Rejected');
  });

  it('applies, and rejects all with a reason', async () => {
    await show(two());
    await click('Apply all 2 changes');
    await click('Reject all');
    await type(named(say.why), ' Not now ');
    await click('Reject all 2 changes');
    expect(done).toEqual(['apply', 'reject Not now']);
  });

  it('says why one part was rejected, where it was given', async () => {
    await show(two());
    await click('Accept line 3 of Whimbrel');
    const why = named(say.whyOf('Whimbrel'));
    act(() => why.focus());
    await type(why, 'Two is right.');
    await press('Enter');
    expect(done.at(-1)).toBe('decide a 1 false Two is right.');
  });

  it('moves by keys alone, with one stop for the Tab key', async () => {
    await show(two());
    expect(all('[data-stop][tabindex="0"]')).toHaveLength(1);
    act(() => model.show?.());
    expect(focused()).toBe('Edited: Whimbrel');
    await press('j');
    expect(focused()).toBe('line 1 of Whimbrel');
    await press('ArrowDown');
    expect(focused()).toBe('line 3 of Whimbrel');
    expect(all('[data-stop][tabindex="0"]').map((one) => one.getAttribute('aria-label'))).toEqual([
      'line 3 of Whimbrel',
    ]);
    await press('r');
    await press('k');
    await press('a');
    await press('Home');
    await press('r');
    expect(done).toEqual(['decide a 1 false', 'decide a 0 true', 'decide a all false']);
    expect(text('[role=status]')).toBe('Rejected: Edited: Whimbrel.');
    await press('a');
    await press('Enter');
    expect(done.at(-1)).toBe('apply');
    await press('a', { ctrlKey: true });
    expect(done.at(-1)).toBe('apply');
  });

  it('folds by key and keeps the focus', async () => {
    await show(two());
    act(() => model.show?.());
    await press('o');
    expect(all('.docent-review-hunk')).toEqual([]);
    expect(focused()).toBe('Edited: Whimbrel');
    await press('o');
    expect(all('.docent-review-hunk')).toHaveLength(2);
  });

  it('edits a hunk in place by key, saves it, and comes back to it', async () => {
    await show(two());
    act(() => model.show?.());
    await press('j');
    await press('e');
    const box = all<HTMLTextAreaElement>('textarea')[0];
    expect([box?.value, document.activeElement]).toEqual(['One line there.', box]);
    await press('r');
    expect(done).toEqual([]);
    if (box !== undefined) await type(box, 'One line elsewhere.');
    await press('Enter', { ctrlKey: true });
    expect(done).toEqual(['edit a "One line elsewhere.\\nSame.\\nTwo lines there.\\n"']);
    expect(all('textarea')).toEqual([]);
    expect(focused()).toBe('line 1 of Whimbrel');
  });

  it('keeps the box open when the edit is refused, and Escape leaves the text', async () => {
    await show(two());
    const failure: Failure = { kind: 'refused', words: 'The agent is at work.', remedy: 'Wait.' };
    answer = fail(failure);
    await click('Edit line 3 of Whimbrel');
    await click(say.save);
    expect(text('[role=alert]')).toContain('The agent is at work. Wait.');
    expect(all('textarea')).toHaveLength(1);
    await press('Escape');
    expect(all('textarea')).toEqual([]);
  });

  it('says it when an act breaks off', async () => {
    await show(two());
    broken = new Error('The disk is gone.');
    await click('Apply all 2 changes');
    expect(text('[role=alert]')).toContain('The disk is gone.');
  });

  it('undoes and does again, one note or all, and says why it cannot', async () => {
    const applied = (id: string, from: string) =>
      changeOf({ id, from, to: from, before: 'a\n', text: 'b\n', state: 'applied' });
    const undone = { ...applied('c', 'C.md'), state: 'undone' as const };
    await show(reviewOf([applied('a', 'A.md'), applied('b', 'B.md'), undone], { state: 'applied' }));
    expect(text('.docent-review-headline')).toBe('Applied to 2 notes, undone in 1 note');
    await click('Undo the change to A');
    await click('Redo the change to C');
    await click('Undo all');
    expect(done).toEqual(['undo set a', 'redo set c', 'undo set all']);
    act(() => named('Edited: B').focus());
    await press('u');
    expect(done.at(-1)).toBe('undo set b');
    answer = fail({ kind: 'refused', words: 'It was edited since.', remedy: 'Undo that first.' });
    await click('Undo all');
    expect(text('[role=alert]')).toContain('It was edited since. Undo that first.');
  });

  it('has one button for the change of a single note, beside its name', async () => {
    const buttons = (): (string | null)[] => all('.docent-review-undo').map((one) => one.getAttribute('aria-label'));
    await show(
      reviewOf([editOf('a\n', 'b\n', { state: 'applied' }), deleteOf('Old.md', 'Old.\n', { state: 'rejected' })], {
        state: 'applied',
      }),
      reviewOf([editOf('c\n', 'd\n', { state: 'undone' })], { id: 'other', state: 'undone' }),
    );
    expect(buttons()).toEqual(['Undo the change to Whimbrel', 'Redo the change to Whimbrel']);
  });

  it('says each act once, however many reviews there are', async () => {
    const applied = (id: string) =>
      reviewOf([editOf('a\n', 'b\n', { id, state: 'applied' })], { id, state: 'applied' });
    await show(applied('one'), applied('two'));
    await act(() => model.undoLast());
    await settle();
    expect(text('[role=status]')).toBe(say.said.undone);
  });

  it('leaves the focus where the user puts it while a reason is being given', async () => {
    await show(two());
    await click('Reject all');
    expect(focused()).toBe(say.why);
    const tick = named('Accept line 3 of Whimbrel');
    act(() => tick.focus());
    act(() => tick.click());
    await settle();
    expect(document.activeElement).toBe(tick);
  });

  it('loses no text that is being written, by an apply, a fold or another edit', async () => {
    await show(two());
    await click('Edit line 1 of Whimbrel');
    const box = all<HTMLTextAreaElement>('textarea')[0];
    if (box !== undefined) await type(box, 'Mine.');
    expect((named('Apply all 2 changes') as HTMLButtonElement).disabled).toBe(true);
    expect(root.textContent).toContain(say.editFirst);
    await act(() => model.apply());
    expect([done, text('[role=status]')]).toEqual([[], say.editFirst]);
    act(() => named('line 3 of Whimbrel').focus());
    await press('e');
    await press('o');
    expect(all<HTMLTextAreaElement>('textarea').map(({ value }) => value)).toEqual(['Mine.']);
    await click(say.save);
    expect(done).toEqual(['edit a "Mine.\\nSame.\\nTwo lines there.\\n"']);
    expect(model.canApply).toBe(true);
  });

  it('saves no box over another hunk when the one that was opened has gone, and keeps its text', async () => {
    await show(two());
    await click('Edit line 3 of Whimbrel');
    const box = all<HTMLTextAreaElement>('textarea')[0];
    if (box !== undefined) await type(box, 'Mine.');
    const left = editOf('One line here.\nSame.\n', 'One line there.\nSame.\n', { id: 'a' });
    act(() => void (state.value = { ...state.value, reviews: [reviewOf([left])] }));
    await settle();
    expect(all<HTMLTextAreaElement>('textarea').map(({ value }) => value)).toEqual(['Mine.']);
    await click(say.save);
    expect([done, all('textarea').length]).toEqual([[], 1]);
    expect(text('[role=alert]')).toContain(say.editOutdated);
    await click(say.cancel);
    expect([all('textarea').length, model.canApply]).toEqual([0, true]);
    expect(all('.docent-review-hunk')).toHaveLength(1);
    await click('Edit line 1 of Whimbrel');
    expect(all('textarea')).toHaveLength(1);
  });

  it('saves the box over the hunk that was opened when others came before it or went', async () => {
    const before = 'One.\nSame.\nTwo.\nSame.\nThree.\n';
    const after = (first: string, rest: string): Review =>
      reviewOf([editOf(before, `${first}\nSame.\n${rest}\nSame.\nThree.\n`, { id: 'a' })]);
    await show(after('One.', '2.'));
    await click('Edit line 3 of Whimbrel');
    const box = all<HTMLTextAreaElement>('textarea')[0];
    if (box !== undefined) await type(box, 'Mine.');
    act(() => void (state.value = { ...state.value, reviews: [after('1.', '2.')] }));
    await settle();
    await click(say.save);
    expect(done).toEqual(['edit a "1.\\nSame.\\nMine.\\nSame.\\nThree.\\n"']);
    await click('Edit line 1 of Whimbrel');
    act(() => void (state.value = { ...state.value, reviews: [after('One, again.', '2.')] }));
    await settle();
    await click(say.save);
    expect(done).toHaveLength(1);
    expect(text('[role=alert]')).toContain(say.editOutdated);
  });

  it('saves no whole new note over another text of it', async () => {
    await show(reviewOf([createOf('New.md', 'Text.\n', { id: 'new' })]));
    await click('Edit New');
    const box = all<HTMLTextAreaElement>('textarea')[0];
    if (box !== undefined) await type(box, 'Mine.\n');
    act(
      () =>
        void (state.value = { ...state.value, reviews: [reviewOf([createOf('New.md', 'Other.\n', { id: 'new' })])] }),
    );
    await settle();
    await click(say.save);
    expect(done).toEqual([]);
    expect(all<HTMLTextAreaElement>('textarea').map(({ value }) => value)).toEqual(['Mine.\n']);
  });

  it('says that a note is no longer there, with the acts that help', async () => {
    await show(
      reviewOf([
        editOf('a\n', 'b\n', { id: 'edit', missing: true, failure: { kind: 'not-found', words: 'None.', remedy: '' } }),
        deleteOf('Old.md', 'Old.\n', { id: 'delete', missing: true }),
      ]),
    );
    const alerts = all('[role=alert]').map(({ textContent }) => textContent ?? '');
    expect(alerts).toHaveLength(2);
    expect(alerts[0]).toContain(say.missing('Boats/Whimbrel.md'));
    expect(alerts[1]).toContain(say.missingDeletion('Old.md'));
    expect(alerts[1]).not.toContain(say.createAgain);
    await click(say.createAgainOf('Whimbrel'));
    await click(say.rejectOf('Old'));
    expect(done).toEqual(['create again edit', 'decide delete all false']);
  });

  it('opens a new note that is folded to edit it by key, and leaves no box behind when all is rejected', async () => {
    const folded = createOf('New.md', 'Text.\n', { id: 'new', taint: 'https://yard.example' });
    await show(reviewOf([folded]));
    act(() => model.show?.());
    await press('e');
    expect(all<HTMLTextAreaElement>('textarea').map(({ value }) => value)).toEqual(['Text.\n']);
    act(() => {
      state.value = { ...state.value, reviews: [reviewOf([{ ...folded, state: 'rejected' }], { state: 'rejected' })] };
    });
    await settle();
    act(() => all('.docent-review-name')[0]?.click());
    await settle();
    expect(all('textarea')).toEqual([]);
  });

  it('shows why one change failed, beside it and once', async () => {
    const failure: Failure = { kind: 'refused', words: 'There is such a file.', remedy: 'Choose another name.' };
    await show(reviewOf([moveOf('A.md', 'B.md', { failure })]));
    answer = fail(failure);
    await click('Apply 1 change');
    expect(all('[role=alert]')).toHaveLength(1);
  });

  it('waits for the end of an answer', async () => {
    await show(two());
    act(() => void (state.value = { ...state.value, running: true }));
    await settle();
    expect((named('Apply all 2 changes') as HTMLButtonElement).disabled).toBe(true);
    expect(root.textContent).toContain(say.running);
    expect([model.canApply, model.canReject]).toEqual([false, false]);
    await act(() => model.apply());
    expect(done).toEqual([]);
  });

  it('has each note opened that was made with others’ text in view before it applies', async () => {
    const tainted = editOf('One.\n', 'Two.\n', { id: 'a', taint: 'https://yard.example' });
    await show(reviewOf([tainted, createOf('New.md', 'Text.\n', { id: 'b' })]));
    expect(text('.docent-review-pill')).toContain('https://yard.example');
    expect(all('.docent-review-body')).toHaveLength(1);
    expect(model.canApply).toBe(false);
    act(() => model.show?.());
    await press('Enter');
    expect(done).toEqual([]);
    expect(text('[role=status]')).toBe(say.openFirst(1));
    await press('o');
    expect(model.canApply).toBe(true);
    await press('Enter');
    expect(done).toEqual(['apply']);
  });

  it('needs no opening of what is rejected', async () => {
    const tainted = editOf('One.\n', 'Two.\n', { id: 'a', taint: 'https://yard.example' });
    await show(reviewOf([tainted, createOf('New.md', 'Text.\n', { id: 'b' })]));
    await click('Accept Edited: Whimbrel');
    expect(model.canApply).toBe(true);
  });

  it('leads to the changes from above the box, and applies from there', async () => {
    await show(two());
    expect(text('.docent-review-bar-words')).toBe('2 changes wait for your review');
    await click('Review');
    expect(focused()).toBe('Edited: Whimbrel');
    await click('Apply all');
    expect(done).toEqual(['apply']);
    act(() => void (model.isInSight.value = true));
    await settle();
    expect(all('.docent-review-bar')).toEqual([]);
  });

  it('opens the note where it is', async () => {
    await show(two());
    await click('Open Whimbrel');
    expect(opened).toEqual(['Boats/Whimbrel.md']);
  });

  it('shows what is settled and what waits on of the same changes side by side', async () => {
    const settled = reviewOf([editOf('a\n', 'b\n', { state: 'applied' })], { state: 'applied' });
    await show(settled, reviewOf([moveOf('A.md', 'B.md', { id: 'left' })]));
    expect(text('.docent-review-headline')).toBe('Applied to 1 note|1 change in 1 note');
    expect(model.undoable?.state).toBe('applied');
    await act(() => model.undoLast());
    expect(done).toEqual(['undo set all']);
  });
});

const drawn = ['words', 'code fences', 'opened tags', 'addresses', 'carriage returns'];

it.each(process.env['DOCENT_LONG'] === 'yes' ? hostileShapes : drawn)(
  'opens a review of 1 MB of %s within 200 ms, in jsdom',
  async (shape) => {
    await show(reviewOf([editOf('a', 'b')]));
    let round = 0;
    await expectCostBelow(200, () => {
      round += 1;
      const text = hostileText(shape, 1_048_576 - round);
      act(() => {
        state.value = { ...state.value, reviews: [reviewOf([editOf(text, `${text}\nMore.\n`)])] };
      });
    });
    expect(root.textContent).toContain('Docent couldn’t check this text.');
  },
);

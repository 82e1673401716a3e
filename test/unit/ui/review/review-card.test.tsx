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
  rejectAll: (reason, change) => note(`reject ${reason}${change === undefined ? '' : ` ${change}`}`),
  grant: (id, granted) => void done.push(`grant ${id} ${granted}`),
  undo: (review, change) => note(`undo ${review} ${change ?? 'all'}`),
  redo: (review, change) => note(`redo ${review} ${change ?? 'all'}`),
};

function note(what: string): Promise<Outcome<void>> {
  done.push(what);
  return broken === null ? Promise.resolve(answer) : Promise.reject(broken);
}

async function show(...reviews: readonly Review[]): Promise<void> {
  await createTestApp({ bare: true });
  done = [];
  opened = [];
  answer = succeed(undefined);
  broken = null;
  state = signal({ reviews, running: false });
  model = new ReviewState(state, () => acts);
  root = document.body.createDiv();
  draw();
  await settle();
}

function draw(): void {
  const openChat = {
    review: model,
    ports: { openNote: (path: string) => opened.push(path) },
    sendWithoutDraft: (sent: string) => Promise.resolve(void done.push(`send ${sent}`)),
  } as unknown as OpenChatState;
  const ids = [...new Set(state.value.reviews.map(({ id }) => id))];
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
}

const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 5)));
const all = <E extends Element = HTMLElement>(selector: string): E[] => [...root.querySelectorAll<E>(selector)];
const text = (selector: string): string =>
  all(selector)
    .map(({ textContent }) => textContent)
    .join('|');
/** What a screen reader calls an element. */
const nameOf = (element: Element | null): string =>
  element?.getAttribute('aria-label') ??
  document.getElementById(element?.getAttribute('aria-labelledby') ?? '')?.ariaLabel ??
  '';
const named = (name: string): HTMLElement => {
  const found = all('button, input, textarea, [role=group]').find(
    (one) => nameOf(one) === name || one.textContent === name,
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
const focused = (): string => nameOf(document.activeElement);

afterEach(async () => {
  act(() => render(null, root));
  root.remove();
  await closeTestApps();
});

describe('what is shown', () => {
  it('R220 says what becomes of each note, and counts parts and notes', async () => {
    await show(sampleReview());
    expect(text('.docent-review-headline')).toBe('11 changes in 4 notes');
    expect(all('.docent-review-change-head').map(nameOf)).toEqual([
      'Edited: Whimbrel refit',
      'New note: Keel bolts',
      'Moved: Yard',
      'Deleted: Old list',
    ]);
    expect(text('.docent-review-place')).toBe('Moves to People/The yard at Skagen.md');
    expect(text('.docent-review-move summary')).toBe('Updates links in 20 notes');
    expect(text('.docent-review-figures')).toBe('+9 −7|+12|+1 −1');
    expect(all('.docent-review-figures').map(nameOf)).toEqual([
      '9 lines added, 7 removed',
      '12 lines added, 0 removed',
      '1 line added, 1 removed',
    ]);
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

  it('shows the first of many paths, and more when asked', async () => {
    const linkedFrom = Array.from({ length: 1_201 }, (_, index) => `Note ${index}.md`);
    await show(reviewOf([moveOf('A.md', 'B/A.md', { linkedFrom })]));
    expect(all('.docent-review-paths [dir]')).toHaveLength(200);
    await click(say.morePaths(1_001));
    await click(say.morePaths(1));
    expect(text('.docent-review-paths [dir]:last-child')).toBe('Note 1200.md');
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

describe('in each state', () => {
  const changes = (state: 'waiting' | 'applied' | 'undone' | 'rejected') => [
    editOf('One.\n', 'Two.\n', { id: 'edit', state }),
    createOf('In/New.md', 'Text.\n', { id: 'new', state }),
    moveOf('A.md', 'B.md', { id: 'move', state }),
    deleteOf('Old.md', 'Old.\n', { id: 'old', state }),
  ];
  const icons = (selector: string): (string | undefined)[] =>
    all(`${selector} svg`).map((svg) => [...svg.classList].find((each) => each.startsWith('lucide-')));
  /** What can be pressed in the head of each change; what cannot be pressed now is in brackets. */
  const offered = (): string[] =>
    all('.docent-review-change-head').map((head) =>
      [...head.querySelectorAll<HTMLButtonElement | HTMLInputElement>('input, button:not(.docent-review-name)')]
        .map((each) => (each.disabled ? `(${each.ariaLabel})` : `${each.ariaLabel}`))
        .join(', '),
    );
  const keys = (): string => text('.docent-review-keys kbd');

  it('offers for a note what can be done with it while it waits', async () => {
    await show(reviewOf(changes('waiting')));
    expect(offered()).toEqual([
      'Accept Edited: Whimbrel, Open Whimbrel',
      'Accept New note: New, Edit New',
      'Accept Moved: A, Open A',
      'Accept Deleted: Old, Open Old',
    ]);
    expect(icons('.docent-review-name')).toEqual(
      ['pencil-line', 'file-plus', 'folder-input', 'trash-2'].flatMap((step) => [
        'lucide-chevron-right',
        `lucide-${step}`,
      ]),
    );
    expect(all('.docent-review-name').map((name) => [name.title, name.ariaExpanded])).toEqual(
      ['Whimbrel', 'New', 'A', 'Old'].map((name) => [say.unfold(name), 'true']),
    );
    expect(all('.docent-review-mark, .is-rejected, .docent-review-undo')).toEqual([]);
    expect(keys()).toBe('j|k|a|r|w|e|o|Enter');
    expect(icons('.docent-review-head')).toEqual(['lucide-file-diff']);
    await click('Open A');
    await click('Open Old');
    expect(opened).toEqual(['A.md', 'Old.md']);
  });

  it('can be read but not changed while it is applied', async () => {
    await show(reviewOf(changes('waiting').slice(0, 3), { state: 'applying' }));
    expect(offered()).toEqual([
      '(Accept Edited: Whimbrel), Open Whimbrel',
      '(Accept New note: New), (Edit New)',
      '(Accept Moved: A), Open A',
    ]);
    expect((named(say.editOf('line 1 of Whimbrel')) as HTMLButtonElement).disabled).toBe(true);
    expect(
      all<HTMLButtonElement>('.docent-review-foot button').map((each) => [each.textContent, each.disabled]),
    ).toEqual([
      [say.applying, true],
      [say.rejectAll, true],
    ]);
    expect(text('.docent-review-bar-buttons button:last-child')).toBe(say.applying);
    expect(text('.docent-review-headline')).toBe('3 changes in 3 notes');
  });

  it('opens an applied note at its new place, and one that is undone at its old one', async () => {
    await show(reviewOf(changes('applied'), { state: 'applied' }));
    expect(offered()).toEqual([
      'Open Whimbrel, Undo the change to Whimbrel',
      'Open New, Undo the change to New',
      'Open A, Undo the change to A',
      'Undo the change to Old',
    ]);
    expect([icons('.docent-review-head'), keys()]).toEqual([['lucide-check'], 'j|k|o|u']);
    expect(text('.docent-review-head button')).toBe(say.undoAll);
    expect(all('.docent-review-foot, .docent-review-bar, .docent-review-body')).toEqual([]);
    await click('Open A');
    expect(opened).toEqual(['B.md']);
    act(() => render(null, root));
    await show(reviewOf(changes('undone'), { state: 'undone' }));
    expect(offered()).toEqual([
      'Open Whimbrel, Redo the change to Whimbrel',
      'Redo the change to New',
      'Open A, Redo the change to A',
      'Open Old, Redo the change to Old',
    ]);
    expect([text('.docent-review-headline'), icons('.docent-review-head')]).toEqual([
      'Undone in 4 notes',
      ['lucide-undo-2'],
    ]);
    await click('Open A');
    expect(opened).toEqual(['A.md']);
    await click(say.redoAll);
    act(() => named('Moved: A').focus());
    await press('u');
    expect(done).toEqual(['redo set all', 'redo set move']);
  });

  it('has nothing to press for what was rejected', async () => {
    await show(reviewOf(changes('rejected'), { state: 'rejected' }));
    expect(offered()).toEqual(['', '', '', '']);
    expect(text('.docent-review-headline')).toBe('Rejected: 4 notes');
    expect(icons('.docent-review-head')).toEqual(['lucide-x']);
    expect(all('.docent-review-change.is-rejected .docent-review-mark')).toHaveLength(4);
    act(() => named('Moved: A').focus());
    await press('u');
    await press('a');
    expect(done).toEqual([]);
  });

  it('says how many notes were applied, undone, rejected, or changed elsewhere', async () => {
    const [one, two, three] = changes('applied');
    if (one === undefined || two === undefined || three === undefined) throw new Error('There are too few.');
    const headline = async (...shown: readonly (typeof one)[]): Promise<string> => {
      await show(reviewOf(shown, { state: 'applied' }));
      const said = text('.docent-review-headline');
      act(() => render(null, root));
      return said;
    };
    const found = { ...one, isFound: true };
    expect([
      await headline(one, { ...two, state: 'rejected' }),
      await headline(one, { ...two, state: 'undone' }, { ...three, state: 'rejected' }),
      await headline(found, { ...two, isFound: true }),
      await headline(found, two),
      await headline(found, { ...two, state: 'undone' }),
      await headline(found, { ...two, state: 'rejected' }),
    ]).toEqual([
      'Applied to 1 note. 1 note rejected.',
      'Applied to 1 note, undone in 1 note. 1 note rejected.',
      'Applied to 2 notes on another device or by you',
      'Applied to 2 notes',
      'Applied to 1 note, undone in 1 note',
      'Applied to 1 note. 1 note rejected.',
    ]);
  });

  it('undoes here what was found done only if it can be', async () => {
    const [change] = changes('applied');
    if (change === undefined) throw new Error('There is none.');
    const notes = async (more: object): Promise<unknown> => {
      await show(reviewOf([{ ...change, ...more }], { state: 'applied' }));
      act(() => all('.docent-review-name')[0]?.click());
      await settle();
      const seen = [all('.docent-review-undo').length, text('.docent-review-note')];
      act(() => render(null, root));
      return seen;
    };
    expect(await notes({ isFound: true })).toEqual([0, say.found]);
    expect(await notes({ isFound: true, isUndoable: true })).toEqual([1, say.foundWithJournal]);
    expect(await notes({})).toEqual([1, '']);
  });
});

describe('the parts of a change', () => {
  const both = (more = {}): ReturnType<typeof changeOf> =>
    changeOf({ id: 'a', from: 'A.md', to: 'B/A.md', before: 'One.\n', text: 'Two.\n', ...more });
  const checks = (): string[] =>
    all<HTMLInputElement>('input[type=checkbox][aria-label]').map(
      ({ ariaLabel, checked, indeterminate }) => `${ariaLabel}: ${indeterminate ? 'partly' : checked}`,
    );
  const marks = (selector: string): string => text(`${selector} .docent-review-mark`);

  it('has a check box for the move and one for each hunk, if there is more than one of them', async () => {
    await show(reviewOf([both()]));
    expect(checks()).toEqual(['Accept Moved: A: true', 'Accept the move: true', 'Accept line 1 of A: true']);
    await click('Accept the move');
    expect(done).toEqual(['decide a move false']);
    expect(checks()).toEqual(['Accept Moved: A: partly', 'Accept the move: false', 'Accept line 1 of A: true']);
    expect([marks('.docent-review-move.is-rejected'), marks('.docent-review-change-head')]).toEqual(['Rejected', '']);
    act(() => named(say.movedTo('B/A.md')).focus());
    await press('a');
    await press('r');
    expect(done.slice(1)).toEqual(['decide a move true', 'decide a move false']);
    await click('Accept line 1 of A');
    expect(checks()[0]).toBe('Accept Moved: A: false');
    expect([text('.docent-review-mark'), all('.is-rejected').length]).toEqual(['Rejected|Rejected|Rejected', 3]);
    act(() => render(null, root));
    await show(reviewOf([moveOf('A.md', 'B.md', { id: 'a' }), editOf('One.\n', 'Two.\n', { id: 'b' })]));
    expect(checks()).toEqual(['Accept Moved: A: true', 'Accept Edited: Whimbrel: true']);
    await click('Accept Moved: A');
    expect([text('.docent-review-mark'), all('.docent-review-move.is-rejected').length]).toEqual(['Rejected', 1]);
  });

  it('shows what follows a move and what cannot', async () => {
    const linkedFrom = ['One.md', 'Map.canvas'];
    await show(reviewOf([moveOf('A.md', 'B.md', { linkedFrom, namedIn: ['Query.md'], rewritten: ['Two.md'] })]));
    const details = all<HTMLDetailsElement>('.docent-review-move details');
    expect(details.map(({ open, textContent }) => [open, textContent])).toEqual([
      [false, `${say.linksFollow(2, 1)}One.mdMap.canvas`],
      [true, `${say.namedIn(1)}Query.md`],
      [false, `${say.linksUpdated(1)}Two.md`],
    ]);
    expect(all('.is-warning')).toEqual([]);
    act(() => render(null, root));
    await show(reviewOf([moveOf('A.md', 'B.md', { linkedFrom })], { linksFollowMoves: false }));
    expect(text('.docent-review-move summary')).toBe(say.linkedFrom);
    act(() => render(null, root));
    await show(reviewOf([moveOf('A.md', 'B.md')], { linksFollowMoves: false }));
    expect(all('.docent-review-move details, .docent-review-move .docent-review-note')).toEqual([]);
  });

  it('says of an empty note, of a deletion and of invisible characters what cannot be seen', async () => {
    const notes = async (change: ReturnType<typeof changeOf>): Promise<[string, number]> => {
      await show(reviewOf([change]));
      const seen: [string, number] = [text('.docent-review-note'), all('.docent-review-row').length];
      act(() => render(null, root));
      return seen;
    };
    expect(await notes(createOf('New.md', ''))).toEqual([say.emptyNote, 0]);
    expect(await notes(createOf('New.md', 'One.\nTwo.\n'))).toEqual(['', 2]);
    expect(await notes(deleteOf('Old.md', ''))).toEqual([`${say.toTrash}|${say.emptyNote}`, 0]);
    expect(await notes(deleteOf('Old.md', 'One.\n'))).toEqual([say.toTrash, 1]);
    expect(await notes(deleteOf('Old.png', null))).toEqual([`${say.toTrash}|${say.notText}`, 0]);
    expect(await notes(editOf('One.\r\n', 'One.\n', { hunks: [] }))).toEqual([say.onlyInvisible, 0]);
    expect(await notes(editOf('One.\n', 'Two.\n'))).toEqual(['', 2]);
  });

  it('offers to apply edits of a note unasked where that would be respected', async () => {
    const box = (): HTMLInputElement | null => root.querySelector('.docent-review-grant input');
    await show(reviewOf([both({ granted: false })]));
    expect([box()?.checked, box()?.disabled]).toEqual([false, false]);
    act(() => box()?.click());
    expect(done).toEqual(['grant a true']);
    await click('Accept the move');
    expect(box()).not.toBeNull();
    await click('Accept line 1 of A');
    expect(box()).toBeNull();
    const seen = async (granted: boolean | undefined, state: Review['state']): Promise<unknown> => {
      act(() => render(null, root));
      await show(reviewOf([both({ ...(granted !== undefined && { granted }), state: 'waiting' })], { state }));
      if (state === 'applied') act(() => all('.docent-review-name')[0]?.click());
      await settle();
      return box() === null ? null : [box()?.checked, box()?.disabled];
    };
    expect(await seen(true, 'applying')).toEqual([true, true]);
    expect(await seen(true, 'applied')).toBeNull();
    expect(await seen(undefined, 'waiting')).toBeNull();
    // One that was given can be taken back even from a change that is rejected.
    expect(await seen(true, 'waiting')).toEqual([true, false]);
    await click('Accept Moved: A');
    act(() => box()?.click());
    expect(done.at(-1)).toBe('grant a false');
  });

  it('sends a reason once it is written, and not the same again', async () => {
    await show(reviewOf([both()]));
    expect(all('.docent-review-why')).toEqual([]);
    await click('Accept the move');
    const why = all<HTMLInputElement>('.docent-review-why')[0];
    if (why === undefined) throw new Error('There is no box for a reason.');
    expect([why.placeholder, why.ariaLabel]).toEqual([say.why, say.whyOf('A')]);
    act(() => why.focus());
    await type(why, '  Wrong folder. ');
    act(() => why.blur());
    expect(done.at(-1)).toBe('decide a move false Wrong folder.');
    const before = done.length;
    act(() => why.focus());
    await press('x');
    await press('Enter', { isComposing: true });
    expect(document.activeElement).toBe(why);
    await press('Escape');
    expect(focused()).toBe('Moved: A');
    expect(done).toHaveLength(before);
    await type(why, '');
    act(() => why.focus());
    act(() => why.blur());
    expect(done.slice(before)).toEqual(['decide a move false']);
  });

  it('shows a text too long to be edited in a box without the way to edit it', async () => {
    const long = (length: number): Review => reviewOf([editOf('One.\n', `${'a'.repeat(length - 1)}\n`, { id: 'a' })]);
    await show(long(200_000));
    expect(all('[data-editable], .docent-review-hunk .docent-review-act')).toHaveLength(2);
    act(() => render(null, root));
    await show(long(200_001));
    expect(all('[data-editable], .docent-review-hunk .docent-review-act')).toEqual([]);
    act(() => all('.docent-review-hunk')[0]?.focus());
    await press('e');
    expect(all('textarea')).toEqual([]);
  });

  it('shows properties as a table, with their lines folded if the table says it all', async () => {
    const raw = async (before: string, after: string): Promise<boolean | undefined> => {
      await show(reviewOf([editOf(before, after)]));
      const open = root.querySelector<HTMLDetailsElement>('.docent-review-raw')?.open;
      act(() => render(null, root));
      return open;
    };
    expect(await raw('---\nstatus: old\n---\n', '---\nstatus: new\n---\n')).toBe(false);
    expect(await raw('---\nstatus: old # Once.\n---\n', '---\nstatus: new\n---\n')).toBe(true);
    expect(await raw('One.\n', 'Two.\n')).toBeUndefined();
  });

  it('shows values of every type, and of a list only what is new or gone', async () => {
    const block = (text: string): string => `---\n${text}---\n`;
    const before = block('done: false\ncount: 3\ntags: [a, b]\nempty: ""\nlost: x\n');
    await show(reviewOf([editOf(before, block('done: true\ncount: 4\ntags: [b, c]\nempty: full\nnew:\n'))]));
    const rows = all('.docent-review-properties tbody tr').map((row) =>
      [...row.children].map((cell) => cell.innerHTML.replaceAll(/ class="[^"]*"/g, '')),
    );
    const item = (content: string): string => `<span>${content}</span>`;
    expect(rows.map((cells) => cells.map((cell) => cell.replaceAll(/<!--.*?-->/g, '')))).toEqual([
      ['done', `<del>${say.no}</del>`, `<ins>${say.yes}</ins>`],
      ['count', '<del>3</del>', '<ins>4</ins>'],
      ['tags', item('<del>a</del>') + item('b'), item('b') + item('<ins>c</ins>')],
      ['empty', item(say.emptyValue), '<ins>full</ins>'],
      ['lost', '<del>x</del>', item(say.none)],
      ['new', item(say.none), item(say.emptyValue)],
    ]);
  });
});

it('knows whether its buttons are in sight, in place of which there is a bar, as long as it is drawn', async () => {
  const watched: { element: Element | null; seen: IntersectionObserverCallback }[] = [];
  class FakeObserver {
    private readonly own = { element: null as Element | null, seen: (() => undefined) as IntersectionObserverCallback };

    constructor(seen: IntersectionObserverCallback) {
      this.own.seen = seen;
      watched.push(this.own);
    }

    observe(element: Element): void {
      this.own.element = element;
    }

    disconnect(): void {
      this.own.element = null;
    }
  }
  Object.assign(window, { IntersectionObserver: FakeObserver });
  try {
    await show(sampleReview());
    const [own] = watched;
    const report = (...seen: boolean[]): void => {
      const entries = seen.map((isIntersecting) => ({ isIntersecting }) as IntersectionObserverEntry);
      act(() => own?.seen(entries, {} as IntersectionObserver));
    };
    expect(own?.element).toBe(all('.docent-review-buttons')[0]);
    expect(model.isInSight.value).toBe(false);
    report(false, true);
    expect(model.isInSight.value).toBe(true);
    report(true, false);
    expect(model.isInSight.value).toBe(false);
    report(true);
    act(() => render(null, root));
    expect([model.isInSight.value, own?.element]).toEqual([false, null]);
  } finally {
    Reflect.deleteProperty(window, 'IntersectionObserver');
  }
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

  it('keeps the box for the reason when an input method takes back what it composes', async () => {
    await show(two());
    await click('Reject all');
    await press('Escape', { isComposing: true });
    expect(all('.docent-review-foot input')).toHaveLength(1);
    await press('Escape');
    expect(all('.docent-review-foot input')).toEqual([]);
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

  it('leaves Space and Enter to the check box that has the focus', async () => {
    await show(two());
    const [box] = all<HTMLInputElement>('[data-stop] input[type=checkbox]');
    act(() => box?.focus());
    for (const key of [' ', 'Enter']) await press(key);
    expect(done).toEqual([]);
    await press('r');
    expect(done).toHaveLength(1);
  });

  it('rejects all with the reason that was given for a part, in place of another one', async () => {
    await show(two());
    await click('Accept line 3 of Whimbrel');
    const why = named(say.whyOf('Whimbrel'));
    await type(why, 'Two is right.');
    await press('Enter');
    act(() => why.focus());
    await press('Enter');
    await act(() => model.rejectAll(' '));
    expect(done.at(-1)).toBe('reject Two is right.');
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
    expect(all('[data-stop][tabindex="0"]').map(nameOf)).toEqual(['line 3 of Whimbrel']);
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

  it('lets the Tab key reach the check box of the part that is the stop, and no other', async () => {
    const move = { from: 'A.md', to: 'B/A.md', before: 'One.\n', text: 'Two.\n' };
    await show(reviewOf([changeOf({ id: 'a', ...move })]));
    const boxes = (): string[] => all<HTMLElement>('input[type=checkbox][tabindex="0"]').map(nameOf);
    expect(boxes()).toEqual(['Accept Moved: A']);
    act(() => model.show?.());
    for (const part of ['Accept the move', 'Accept line 1 of A']) {
      await press('j');
      expect(boxes()).toEqual([part]);
    }
  });

  it('goes to the ends by keys, and leaves those of the app and of an input method alone', async () => {
    await show(two());
    act(() => model.show?.());
    await press('End');
    expect(focused()).toBe('line 3 of Whimbrel');
    await press('j');
    await press('ArrowDown');
    expect(focused()).toBe('line 3 of Whimbrel');
    await press('ArrowUp');
    expect(focused()).toBe('line 1 of Whimbrel');
    await press('j', { repeat: true });
    expect(focused()).toBe('line 3 of Whimbrel');
    for (const init of [{ metaKey: true }, { altKey: true }, { isComposing: true }, { repeat: true }]) {
      await press('r', init);
      await press('Enter', init);
    }
    await press('x');
    await press('u');
    expect(done).toEqual([]);
    await press('r');
    await press('w');
    const why = document.activeElement as HTMLElement;
    expect(why.className).toContain('docent-review-why');
  });

  it('saves an edit by the key of a Mac too, and not while an input method composes', async () => {
    await show(two());
    await click('Edit line 1 of Whimbrel');
    const box = all<HTMLTextAreaElement>('textarea')[0] as HTMLTextAreaElement;
    expect(box.selectionStart).toBe('One line there.'.length);
    await type(box, 'One line elsewhere.');
    await press('Enter');
    await press('Enter', { ctrlKey: true, isComposing: true });
    await press('Escape', { isComposing: true });
    expect([done, all('textarea').length]).toEqual([[], 1]);
    await press('Enter', { metaKey: true });
    expect([done.length, all('textarea').length]).toEqual([1, 0]);
  });

  it('takes the keys that mean something from the app, and leaves it the others', async () => {
    await show(two());
    const heard: string[] = [];
    root.addEventListener('keydown', ({ key, defaultPrevented }) => heard.push(`${key} ${defaultPrevented}`));
    act(() => model.show?.());
    const isTaken = (key: string): boolean => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      act(() => void document.activeElement?.dispatchEvent(event));
      return event.defaultPrevented;
    };
    expect(['j', 'ArrowUp', 'End', 'Home', 'o', 'r', 'a', 'w'].map(isTaken)).toEqual(Array(8).fill(true));
    act(() => model.show?.());
    expect(['x', 'u', 'Escape'].map(isTaken)).toEqual([false, false, false]);
    expect(heard).toEqual(['x false', 'u false', 'Escape false']);
    // A button in the change has its own Enter.
    act(() => named('Open Whimbrel').focus());
    expect(isTaken('Enter')).toBe(false);
    expect(done.includes('apply')).toBe(false);
  });

  it('opens a folded new note to edit it by its button', async () => {
    await show(reviewOf([createOf('New.md', 'Text.\n', { id: 'new', taint: 'https://yard.example' })]));
    expect(all('.docent-review-body')).toEqual([]);
    await click('Edit New');
    expect(all<HTMLTextAreaElement>('textarea').map(({ value }) => value)).toEqual(['Text.\n']);
    await click(say.cancel);
    expect(all('.docent-review-body')).toHaveLength(1);
    expect(model.canApply).toBe(true);
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

  it('saves an edit once, however often the key is pressed, and closes no other box by it', async () => {
    await show(two());
    await click('Edit line 1 of Whimbrel');
    const box = all('textarea')[0] as HTMLElement;
    await type(box, 'One line elsewhere.');
    let finish = (): void => {};
    const editing = jest.spyOn(acts, 'editText');
    editing.mockImplementation(() => new Promise((resolve) => (finish = () => resolve(succeed(undefined)))));
    await press('Enter', { ctrlKey: true });
    await press('Enter', { ctrlKey: true });
    expect(editing).toHaveBeenCalledTimes(1);
    await click(say.cancel);
    await click('Edit line 3 of Whimbrel');
    finish();
    editing.mockRestore();
    await settle();
    expect(all('textarea')).toHaveLength(1);
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
    const before = done.length;
    await press('u', { repeat: true });
    expect(done).toHaveLength(before);
    answer = fail({ kind: 'refused', words: 'It was edited since.', remedy: 'Undo that first.' });
    await click('Undo all');
    expect(text('[role=alert]')).toContain('It was edited since. Undo that first.');
  });

  it('undoes once, however often the button is pressed while it is undone', async () => {
    await show(reviewOf([editOf('a\n', 'b\n', { state: 'applied' })], { state: 'applied' }));
    let finish = (): void => {};
    const undoing = jest.spyOn(acts, 'undo');
    undoing.mockImplementation(() => new Promise((resolve) => (finish = () => resolve(succeed(undefined)))));
    for (let press = 0; press < 2; press += 1) act(() => all('.docent-review-undo')[0]?.click());
    expect(undoing).toHaveBeenCalledTimes(1);
    finish();
    await settle();
    act(() => all('.docent-review-undo')[0]?.click());
    expect(undoing).toHaveBeenCalledTimes(2);
    undoing.mockRestore();
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

  it('says the same act once more when another change is undone', async () => {
    await show(reviewOf([editOf('a\n', 'b\n', { state: 'applied' })], { id: 'one', state: 'applied' }));
    const said: string[] = [];
    const release = model.said.subscribe((each) => void said.push(each));
    await act(() => model.undo('one', 'a'));
    await act(() => model.undo('one', 'b'));
    release();
    expect(said).toEqual(['', say.said.undone, '', say.said.undone]);
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
    expect(all('.docent-review-bar')).toEqual([]);
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

  it('loses no text that is being written when the review leaves the page, as with a change of chat', async () => {
    const lines = (word: string): string => Array.from({ length: 15 }, (_, at) => `${at} ${word}\nSame.\n`).join('');
    await show(reviewOf([editOf(lines('here'), lines('there'), { id: 'a' })]));
    await click(say.moreHunks(3));
    await click('Edit line 29 of Whimbrel');
    const box = all<HTMLTextAreaElement>('textarea')[0];
    if (box !== undefined) await type(box, 'Mine.');
    act(() => render(null, root));
    expect(model.canApply).toBe(false);
    draw();
    await settle();
    expect(all<HTMLTextAreaElement>('textarea').map(({ value }) => value)).toEqual(['Mine.']);
    expect(document.activeElement).not.toBe(all('textarea')[0]);
    await click(say.save);
    expect(done).toEqual([expect.stringMatching(/13 there\\nSame.\\nMine.\\nSame.\\n"$/)]);
    expect([all('textarea').length, model.canApply]).toEqual([0, true]);
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

  it('says in words for people that the lines of a change were changed, and asks again for that change', async () => {
    const clashOf = (path: string): Failure => ({
      kind: 'refused',
      words: words.writing.changedBoth(path),
      remedy: words.writing.changedBothRemedy,
      action: 'ask-again',
    });
    const path = 'Boats/Whimbrel.md';
    await show(
      reviewOf([
        editOf('a\nb\nc\n', 'x\nb\ny\n', { id: 'edit', failure: clashOf(path) }),
        deleteOf('Old.md', 'Old.\n', { id: 'delete', failure: clashOf('Old.md') }),
      ]),
    );
    const alerts = all('[role=alert]').map(({ textContent }) => textContent ?? '');
    expect(alerts).toHaveLength(2);
    expect(alerts[0]).toContain(`${say.outdated(path)} ${say.outdatedParts}`);
    expect(alerts[1]).toContain(say.outdatedDeletion('Old.md'));
    expect(alerts.join()).not.toContain(words.writing.changedBothRemedy);
    await click(say.askAgainOf('Whimbrel'));
    await click(say.rejectOf('Old'));
    expect(done).toEqual([
      `reject ${say.askAgainReason} edit`,
      `send ${say.askAgainMessage(path)}`,
      'decide delete all false',
    ]);
    answer = fail(clashOf('Old.md'));
    await click(say.askAgainOf('Old'));
    expect(done.at(-1)).toBe(`reject ${say.askAgainReason} delete`);
    act(() => void (state.value = { ...state.value, running: true }));
    expect(named(say.askAgainOf('Old'))).toHaveProperty('disabled', true);
  });

  it('applies nothing while all that is accepted was found to be outdated or missing', async () => {
    const failure: Failure = { kind: 'refused', words: 'Both.', remedy: 'Read.', action: 'ask-again' };
    await show(reviewOf([editOf('a\nb\nc\n', 'x\nb\ny\n', { id: 'edit', failure })]));
    expect(named(say.applyNothing)).toHaveProperty('disabled', true);
    expect(text('.docent-review-foot')).toContain(say.nothingApplies(2));
    expect(all('.docent-review-bar .mod-cta')).toEqual([]);
    act(() => model.show?.());
    await press('Enter');
    expect([text('[role=status]'), done]).toEqual([say.nothingApplies(2), []]);
    // Without one of its lines it may be applied.
    await click('Accept line 1 of Whimbrel');
    expect(named('Apply 1 of 2 changes')).toHaveProperty('disabled', false);
    expect(root.textContent).not.toContain(say.nothingApplies(2));
  });

  it('counts what can be applied, without what is outdated or missing', async () => {
    const failure: Failure = { kind: 'refused', words: 'Both.', remedy: 'Read.', action: 'ask-again' };
    const [outdated, missing] = [
      editOf('a\n', 'b\n', { id: 'edit', failure }),
      deleteOf('Old.md', 'Old.\n', { id: 'delete', missing: true }),
    ];
    await show(reviewOf([outdated, missing]));
    expect(text('.docent-review-foot')).toContain(say.nothingApplies(2));
    act(
      () =>
        void (state.value = { ...state.value, reviews: [reviewOf([outdated, missing, createOf('New.md', 'N.\n')])] }),
    );
    await settle();
    await click('Apply 1 of 3 changes');
    expect([done, text('.docent-review-bar .mod-cta')]).toEqual([['apply'], 'Apply 1 of 3']);
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

  it('shows it with what is left of the changes, and not with those that were applied', async () => {
    const failure: Failure = { kind: 'refused', words: 'There is such a file.', remedy: 'Choose another name.' };
    const applied = reviewOf([editOf('a\n', 'b\n', { id: 'edit', state: 'applied' })], { state: 'applied' });
    await show(applied, reviewOf([moveOf('A.md', 'B.md', { failure })]));
    answer = fail(failure);
    await click('Apply 1 change');
    expect(all('[role=alert]').map((alert) => alert.closest('.docent-review')?.className)).toEqual([
      'docent-review is-waiting',
    ]);
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

  it('offers to apply one change above the box, not all', async () => {
    await show(reviewOf([editOf('One.\n', 'Two.\n', { id: 'a' })]));
    expect(text('.docent-review-bar .mod-cta')).toBe('Apply');
  });

  it('shows the beginning of a long property, cut between characters', async () => {
    const after = `---\nstatus: ${'a'.repeat(499)}🚢b\n---\n`;
    await show(reviewOf([editOf('---\nstatus: old\n---\n', after)]));
    expect(text('.docent-review-properties tbody ins')).toBe(`${'a'.repeat(499)}…`);
  });

  it('opens the note where it is', async () => {
    await show(two());
    await click('Open Whimbrel');
    expect(opened).toEqual(['Boats/Whimbrel.md']);
  });

  it('has the stop in view that a key moves to, without a jump, and goes no further than the ends', async () => {
    await show(two());
    act(() => model.show?.());
    const seen: unknown[] = [];
    const [scrolled, focusing] = [
      jest.spyOn(Element.prototype, 'scrollIntoView'),
      jest.spyOn(HTMLElement.prototype, 'focus'),
    ];
    scrolled.mockImplementation(function (this: Element, to) {
      seen.push([nameOf(this), to]);
    });
    for (const key of ['k', 'j', 'End', 'j', 'Home']) await press(key);
    expect(seen).toEqual(
      ['line 1 of Whimbrel', 'line 3 of Whimbrel', 'Edited: Whimbrel'].map((name) => [name, { block: 'nearest' }]),
    );
    expect(focusing.mock.calls).toEqual(Array(3).fill([{ preventScroll: true }]));
    scrolled.mockRestore();
    focusing.mockRestore();
    expect(focused()).toBe('Edited: Whimbrel');
  });

  it('gives the Tab key another stop once the one that had the focus is not there any more', async () => {
    await show(two());
    act(() => named('line 3 of Whimbrel').focus());
    const stop = (): string[] => all('[data-stop][tabindex="0"]').map(nameOf);
    expect(stop()).toEqual(['line 3 of Whimbrel']);
    const left = editOf('One line here.\nSame.\n', 'One line there.\nSame.\n', { id: 'a' });
    act(() => void (state.value = { ...state.value, reviews: [reviewOf([left])] }));
    await settle();
    expect(stop()).toEqual(['Edited: Whimbrel']);
  });

  it('comes back once to the part whose box was left, and then leaves the focus where the user puts it', async () => {
    await show(two());
    await click('Edit line 1 of Whimbrel');
    await click(say.cancel);
    expect(focused()).toBe('line 1 of Whimbrel');
    act(() => named('line 3 of Whimbrel').focus());
    await press('r');
    expect([done, focused()]).toEqual([['decide a 1 false'], 'line 3 of Whimbrel']);
  });

  it('makes each missing note again, once however often its button is pressed', async () => {
    const failure: Failure = { kind: 'not-found', words: 'None.', remedy: '' };
    const missing = (path: string) =>
      changeOf({ from: path, to: path, before: 'a\n', text: 'b\n', id: path, missing: true, failure });
    await show(reviewOf([missing('A.md'), missing('B.md')]));
    const ends: (() => void)[] = [];
    const creating = jest.spyOn(acts, 'createAgain');
    creating.mockImplementation(() => new Promise((resolve) => ends.push(() => resolve(succeed(undefined)))));
    for (const name of ['A', 'A', 'B', 'B']) act(() => named(say.createAgainOf(name)).click());
    expect(creating.mock.calls).toEqual([['A.md'], ['B.md']]);
    ends.forEach((end) => end());
    await settle();
    expect(text('[role=status]')).toBe(say.said.createdAgain('B'));
    act(() => named(say.createAgainOf('A')).click());
    expect(creating).toHaveBeenCalledTimes(3);
    creating.mockRestore();
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

it('waits again before it applies what another device added, and not for a decision', () => {
  const timers: (() => void)[] = [];
  const [first, second] = [createOf('A.md', 'A.\n'), createOf('B.md', 'B.\n')];
  const shown = signal({ reviews: [reviewOf([first])], running: false });
  const { isSettled } = new ReviewState(
    shown,
    () => null,
    (_, elapsed) => {
      timers.push(elapsed);
      return () => undefined;
    },
  );
  const afterShowing = (...changes: Review['changes']): boolean[] => {
    shown.value = { reviews: [reviewOf(changes)], running: false };
    const before = isSettled.value;
    timers.pop()?.();
    return [before, isSettled.value];
  };
  expect(afterShowing(first)).toEqual([false, true]);
  expect(afterShowing({ ...first, decision: decidePart(first.change, first.decision, 'all', false) })).toEqual([
    true,
    true,
  ]);
  expect(afterShowing(first, second)).toEqual([false, true]);
  const further = { ...second.change, text: 'Other.\n', calls: [{ id: 'c', tool: 'edit_note', arguments: '' }] };
  expect(afterShowing(first, { ...second, change: further })).toEqual([false, true]);
});

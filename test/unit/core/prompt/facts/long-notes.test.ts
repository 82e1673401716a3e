import { createWorkBudget } from '../../../../../src/core/base/async';
import {
  attachedNotes,
  contextNotes,
  partFormOf,
  printOfNote,
} from '../../../../../src/core/prompt/facts/attached-notes';
import { countIfLong, writeLongNote } from '../../../../../src/core/prompt/facts/long-note';
import type { AttachedNote, TurnContext } from '../../../../../src/core/prompt/world';
import { tokensByRule } from '../../../../../src/core/markup/budget';
import type { Mention } from '../../../../../src/core/session/entry';
import { fakeVault } from '../../../../support/fake-vault';
import { never, worldOf } from '../../../../support/turn-world';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const filler = 'The keeper wrote down the weather and the ships that passed that day.';

/** A long note of sections, one of which is about the foghorn. */
function keepersBook(sections: number, end = '\n'): string {
  const parts = Array.from({ length: sections }, (_, index) => {
    const own = index === Math.floor(sections / 2) ? 'The foghorn was tuned to 311 hertz.' : filler;
    return [`## Week ${index + 1}`, '', ...Array.from({ length: 8 }, () => own), ''].join(end);
  });
  return [`# The book`, '', filler, '', ...parts].join(end);
}

const mention = (id: string, more: Partial<Mention> = {}): Mention => ({ kind: 'note', id, label: id, ...more });
const book = keepersBook(300);
const files = { 'Book.md': book, 'Small.md': 'Small.\n' };

async function attach(text: string, changes: Partial<TurnContext> = {}): Promise<AttachedNote> {
  const vault = fakeVault({ ...files, 'Book.md': text });
  const world = worldOf(vault, { mentions: [mention('Book.md')], contextWindow: 32_000, ...changes });
  const [note] = await attachedNotes.gather(world, never);
  if (note === undefined) throw new Error('Nothing is attached.');
  return note;
}

const part = (text: string, message: string, changes: Partial<TurnContext> = {}): Promise<AttachedNote> =>
  attach(text, { message, ...changes });

describe('a mentioned note over a quarter of the context window', () => {
  it('is sent as its outline and the parts that match the message, within about a tenth', async () => {
    const note = await part(book, 'What was the foghorn tuned to?');
    expect(note).toMatchObject({ path: 'Book.md', whole: book, isLong: true });
    const text = note.text ?? '';
    expect(text.split('\n')[0]).toBe(
      '[This note of about 43,000 tokens is shown in part, with its outline and the 1 passage that matches the message ' +
        'best; call read_note with heading, or with startLine and endLine, to read the rest.]',
    );
    expect(text).toContain('# The book (line 1, 43,000 tokens)');
    expect(text).toMatch(/## Week 1 \(line 5, 1[45]0 tokens\)[^]*\[… and 196 more headings\]/);
    expect(text).toContain('[Lines 1657 to 1664, under The book › Week 151:]\nThe foghorn was tuned to 311 hertz.');
    expect(text.split(filler)).toHaveLength(1);
    expect(tokensByRule(text)).toBeLessThan(32_000 * 0.11);
  });

  it('takes no more where every part matches', async () => {
    for (const contextWindow of [32_000, 64_000]) {
      const { text = '' } = await part(book, 'What did the keeper write of the weather and the ships?', {
        contextWindow,
      });
      expect(tokensByRule(text ?? '')).toBeLessThan(contextWindow * 0.11);
      expect(tokensByRule(text ?? '')).toBeGreaterThan(contextWindow * 0.07);
    }
  });

  it('begins where nothing matches, and names no tool that is not offered', async () => {
    for (const message of ['', 'the of and', 'Zeppelin?', 'Summarize [[Book.md]].']) {
      const { text } = await part(book, message, { toolNames: [] });
      expect(text).toContain('with its outline and its beginning; the rest is left out.]');
      expect(text).toContain(`[Lines 3 to `);
      expect(text).not.toMatch(/read_note|note_outline/);
    }
    expect((await part(book, '', { toolNames: ['read_notes', 'note_outline'] })).text).toMatch(
      /call read_notes to read the rest\.\][^]*note_outline lists them all\]/,
    );
  });

  it('is sent whole where the user attached it whole, or where it is shorter', async () => {
    expect(await attach(book, { mentions: [mention('Book.md', { form: 'whole' })] })).toEqual({
      path: 'Book.md',
      text: book,
      isLong: true,
    });
    expect(await attach(book, { contextWindow: 200_000 })).toEqual({ path: 'Book.md', text: book });
  });

  it('is judged by the count, not by the estimate', async () => {
    const vault = fakeVault({ 'Book.md': 'x'.repeat(40_000) });
    const world = worldOf(vault, { mentions: [mention('Book.md')], contextWindow: 32_000 });
    const counting = (tokens: number) => ({ ...world, countTokens: () => Promise.resolve(tokens) });
    expect((await attachedNotes.gather(counting(8_000), never))[0]?.isLong).toBeUndefined();
    expect((await attachedNotes.gather(counting(8_001), never))[0]?.isLong).toBe(true);
  });

  it('is not sent again for the same parts, and is for other parts or as a whole', async () => {
    const first = await part(book, 'foghorn');
    const print = printOfNote(first) ?? '';
    expect(partFormOf(print)).toBe('outline');
    const sentNotes = new Map([['Book.md', print]]);
    expect(await part(book, 'The foghorn?', { sentNotes })).toEqual({
      path: 'Book.md',
      text: null,
      asBefore: true,
      isLong: true,
    });
    expect((await part(book, 'Week 12', { sentNotes })).text).toContain('under The book › Week 12:]');
    const whole = { mentions: [mention('Book.md', { form: 'whole' })], sentNotes };
    expect((await attach(book, whole)).text).toBe(book);
    const known = new Map([['Book.md', printOfNote({ path: 'Book.md', text: book }) ?? '']]);
    expect(await part(book, 'Week 12', { sentNotes: known })).toEqual({ path: 'Book.md', text: null, asBefore: true });
  });

  it('is pinned as its outline and its beginning; a message adds the parts it asks for', async () => {
    const vault = fakeVault(files);
    const pinned = { contextNotes: ['Book.md'], contextWindow: 32_000, message: 'foghorn' };
    const [note] = await contextNotes.gather(worldOf(vault, pinned), never);
    expect(note?.text).toContain('with its outline and its beginning;');
    expect(note?.whole).toBe(book);
    expect(await attachedNotes.gather(worldOf(vault, pinned), never)).toEqual([]);
    const asked = worldOf(vault, { ...pinned, mentions: [mention('Book.md')] });
    const [added] = await attachedNotes.gather(asked, never);
    expect(added?.text).toMatch(
      /^\[This note [^\]]*shown in part, with the 1 passage that matches[^]*foghorn was tuned/,
    );
    const [form] = await contextNotes.gather(worldOf(vault, { ...pinned, noteForms: { 'Book.md': 'pinned' } }), never);
    expect(form).toEqual({ path: 'Book.md', text: book, pinned: true });
  });
});

describe('the parts of a long note', () => {
  const write = (text: string, message: string, window = 32_000): Promise<string> =>
    writeLongNote(
      { text, tokens: tokensByRule(text), message, outlined: true },
      { contextWindow: window, toolNames: ['read_note'] },
      createWorkBudget(never),
    );

  it('are found in one line, and say where in it they are', async () => {
    const line = [...Array.from({ length: 3_000 }, () => filler), 'The foghorn was tuned.', filler].join(' ');
    const text = await write(line, 'foghorn');
    expect(text).toMatch(/shown in part, with the 1 passage/);
    const at = Number(/\[Line 1, from character ([\d,]+):\]/.exec(text)?.[1]?.replaceAll(',', ''));
    expect(line.slice(at - 1)).toContain('The foghorn was tuned.');
    expect(text).toContain('The foghorn was tuned.');
    expect(text.length).toBeLessThan(14_000);
  });

  it('are found without headings, with CRLF, and in Hebrew with marks', async () => {
    const plain = Array.from({ length: 2_000 }, (_, index) => (index === 999 ? 'The foghorn.' : filler)).join('\n\n');
    expect(await write(plain, 'foghorn')).toMatch(/with the 1 passage[^]*\[Lines? 1[\d]* to [^]*The foghorn\./);
    const windows = await write(keepersBook(300, '\r\n'), 'foghorn');
    expect(windows).toContain(
      '[Lines 1657 to 1664, under The book › Week 151:]\nThe foghorn was tuned to 311 hertz.\r\n',
    );
    const hebrew = `# ספר\n\n${'שָׁלוֹם לְכֻלָּם וּבְרָכָה.\n\n'.repeat(2_000)}צוֹפַר הָעֲרָפֶל\n\n${'יוֹם טוֹב.\n'.repeat(900)}`;
    expect(await write(hebrew, 'צופר')).toContain('צוֹפַר הָעֲרָפֶל');
  });

  it('fit a tiny window, and never end in half a character', async () => {
    const text = await write('🌫️'.repeat(20_000), 'fog', 2_048);
    expect(tokensByRule(text)).toBeLessThan(400);
    expect(text).not.toMatch(/\p{Surrogate}/u);
    expect(await write('', 'fog')).toContain('its beginning');
  });

  it('of a note with only deep or too many headings still come with an outline that says what is missing', async () => {
    const deep = Array.from({ length: 4_000 }, (_, index) => `##### Deep ${index}\nText.`).join('\n');
    expect(await write(deep, 'deep')).toMatch(/##### Deep 0 \(line 1, \d+ tokens\)[^]*\[… and 3,\d{3} more headings\]/);
  });

  it.each([
    ['sections', (size: number) => keepersBook(size / 600)],
    ['short lines', (size: number) => 'ab\n'.repeat(size / 3)],
    ['one line', (size: number) => 'A word of the foghorn. '.repeat(size / 23)],
    ['unclosed properties', (size: number) => `---\n${'key: value\n'.repeat(size / 11)}`],
  ])('are found in small steps in a note of %s, between which it can be stopped', async (_name, write) => {
    const stepsFor = async (text: string, last = Infinity): Promise<number[]> => {
      const steps: number[] = [];
      const budget = { spend: (units: number) => steps.push(units) < last };
      const turn = { contextWindow: 32_000, toolNames: [] };
      const tokens = await countIfLong(worldOf(fakeVault({}), turn), text, budget);
      await writeLongNote({ text, tokens: tokens ?? 0, message: 'foghorn', outlined: true }, turn, budget);
      return steps;
    };
    const [small, large] = [await stepsFor(write(500_000)), await stepsFor(write(1_000_000))];
    expect(small.length).toBeGreaterThan(10);
    expect(large.length).toBeGreaterThan(1.7 * small.length - 10);
    const units = (steps: readonly number[]): number => steps.reduce((sum, each) => sum + each, 0);
    expect(units(large)).toBeLessThan(2.3 * units(small));
    const stopped = await stepsFor(write(500_000), 5);
    expect(stopped.length).toBeLessThan(10);
  });

  it('count a character that a step would cut in two as one', async () => {
    const turn = { contextWindow: 4, toolNames: [] };
    const free = createWorkBudget(never);
    const count = (text: string) => countIfLong(worldOf(fakeVault({}), turn), text, free);
    // A character of four bytes ends at one or two units after the step, and adds one token in each place.
    expect(await count(`x${'😀'.repeat(200_000)}`)).toBe(200_001);
    for (const before of [199_998, 199_999, 200_000])
      expect(await count(`${'x'.repeat(before)}😀${'y'.repeat(400_000 - before)}`)).toBe(100_001);
  });

  it('take time in line with the size of a note of 8 MB', async () => {
    const large = keepersBook(13_600);
    expect(large.length).toBeGreaterThan(7_600_000);
    const quarter = large.slice(0, large.length / 4);
    for (const make of [(text: string) => text, (text: string) => text.replaceAll('\n', ' ')]) {
      const [all, part] = [make(large), make(quarter)];
      await expectGrowthBelow(
        6,
        () => write(all, 'the foghorn and the keeper'),
        () => write(part, 'the foghorn and the keeper'),
      );
    }
  }, 60_000);
});

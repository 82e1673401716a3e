/** Which old parts are cleared before older messages are summarized: results, notes and images, and their bounds. */
import {
  imagesToMask,
  maskAll,
  maskLimits,
  notesToOutline,
  outputsToMask,
} from '../../../../../src/core/context/compaction/clear-old-parts';
import { entrySize } from '../../../../../src/core/context/compaction/choose-cut';
import type { EntryBody, FormChange, Mention, SessionEntry } from '../../../../../src/core/session/entry';
import { targetOf } from '../../../../../src/core/session/log-state';
import { answer, entry, result, toolCall, user } from '../../../../support/entries';

const forms = (...changes: readonly FormChange[]): SessionEntry =>
  entry({ kind: 'context-forms', by: 'user', forms: changes });

it('protects a quarter of the window, and frees three twentieths of it at least', () => {
  expect(maskLimits(10_001)).toEqual({ protect: 2_500, least: 1_500 });
});

describe('results', () => {
  const long = (name = 'read_note'): SessionEntry => entry({ ...result('k', 'word '.repeat(400)), name } as EntryBody);
  const turn = (...results: readonly SessionEntry[]): SessionEntry[] => [
    entry(user('q')),
    entry(answer(toolCall('k'))),
    ...results,
    entry(answer('a')),
  ];
  const [one, two, three] = [long(), long(), long()];
  const log = [...turn(one, two), ...turn(three)];
  const chosen = (limits = maskAll, entries = log, from: 'turn' | 'answer' = 'turn'): string[] =>
    outputsToMask(entries, entries, limits, from).map(({ target }) => target);
  const [first, second, third] = [one, two, three].map(({ id }) => targetOf.result(id));

  it('are those of earlier turns, oldest first, or all but those of the newest answer', () => {
    expect(chosen()).toEqual([first, second]);
    expect(outputsToMask(log, log, maskAll)[0]).toEqual({ target: first, form: 'masked' });
    expect(chosen(maskAll, log, 'answer')).toEqual([first, second, third]);
    expect(chosen(maskAll, log.slice(0, -1), 'answer')).toEqual([first, second]);
    expect(chosen(maskAll, [])).toEqual([]);
  });

  it('stay as far as the newest ones fit what is protected', () => {
    const size = entrySize(one);
    expect(chosen({ protect: 2 * size - 1, least: 1 })).toEqual([first, second]);
    expect(chosen({ protect: 2 * size, least: 1 })).toEqual([first]);
    expect(chosen({ protect: 3 * size, least: 1 })).toEqual([]);
  });

  it('stay if they would free too little', () => {
    const least = Array.from({ length: 2_000 }, (_, at) => at).findIndex(
      (at) => chosen({ protect: 0, least: at + 1 }).length === 0,
    );
    expect(least).toBeGreaterThan(entrySize(one));
    expect(least % 2).toBe(0);
    expect(chosen({ protect: 0, least })).toHaveLength(2);
  });

  it('stay if they are short, guide the work, or have a form of their own', () => {
    for (const name of ['activate_skill', 'ask_user', 'exit_plan_mode']) {
      expect(chosen(maskAll, [...turn(long(name)), entry(user('next'))])).toEqual([]);
    }
    expect(chosen(maskAll, [...turn(entry(result('k', 'short'))), entry(user('next'))])).toEqual([]);
    for (const form of ['pinned', 'masked', 'outline', 'dropped'] as const)
      expect(chosen(maskAll, [...log, forms({ target: first!, form })])).toEqual([second]);
    expect(chosen(maskAll, [...log, forms({ target: first!, form: 'whole' })])).toEqual([first, second]);
  });
});

describe('attached notes', () => {
  const zone = (place: 'before' | 'after', ...notes: readonly string[]): SessionEntry =>
    entry({
      ...{ kind: 'turn-zone', before: [], after: [], mode: 'assistant', editor: null },
      [place]: [{ section: 'files', text: `<files>\n${notes.join('\n')}\n</files>` }],
    } as EntryBody);
  const note = (path: string, words: number): string =>
    `<note path="${path}">\n# Head\n${'word '.repeat(words)}\n</note>`;
  const [asked, next] = [entry(user('q')), entry(user('next'))];
  const [old, newest] = [zone('before', note('A.md', 400), note('B.md', 10)), zone('after', note('C.md', 400))];
  const log = [asked, old, entry(answer('a')), next, newest];
  const paths = (entries: readonly SessionEntry[], of?: 'earlier' | 'all') =>
    notesToOutline(entries, entries, of).map(({ target }) => target);
  const target = targetOf.note(old.id, 'A.md');

  it('are outlined if they are long, those of earlier turns first', () => {
    expect(notesToOutline(log, log)).toEqual([{ target, form: 'outline' }]);
    expect(paths(log, 'all')).toEqual([target, targetOf.note(newest.id, 'C.md')]);
    expect(paths(log.slice(3))).toEqual([]);
    expect(paths([])).toEqual([]);
  });

  it('stay with a pinned message, and where they have a form of their own', () => {
    expect(paths([...log, forms({ target: targetOf.exchange(asked.id), form: 'pinned' })])).toEqual([]);
    for (const form of ['whole', 'pinned', 'dropped'] as const)
      expect(paths([...log, forms({ target, form })])).toEqual([]);
  });
});

describe('images', () => {
  const image = (name: string): Mention => ({
    ...{ kind: 'image', id: `${name}.png`, label: name },
    image: {
      digest: name.repeat(64),
      mediaType: 'image/png',
      width: 1_000,
      height: 1_000,
      bytes: 9,
      conversation: 'c',
    },
  });
  const sent = (...names: readonly string[]): SessionEntry =>
    entry({ kind: 'user', text: 'q', mentions: names.map(image) });
  const log = [sent('a', 'b'), entry(answer('x')), sent('c'), entry(answer('y')), sent('d')];
  const chosen = (limits = maskAll, entries = log): string[] =>
    imagesToMask(entries, entries, limits).map(({ target }) => target.split(':')[2]?.charAt(0) ?? '');

  it('are cleared but for those of the newest message, and for what is protected', () => {
    expect(new Set(chosen())).toEqual(new Set(['a', 'b', 'c']));
    expect(chosen().at(-1)).toBe('c');
    expect(imagesToMask(log, log, maskAll).every(({ form }) => form === 'masked')).toBe(true);
    const each = entrySize(sent('a')) - entrySize(sent());
    expect(new Set(chosen({ protect: 2 * each + each / 2, least: 1 }))).toEqual(new Set(['a', 'b']));
    expect(chosen({ protect: 0, least: 10 * each })).toEqual([]);
    expect(chosen({ protect: 5 * each, least: 0 })).toEqual([]);
    expect(chosen(maskAll, [])).toEqual([]);
  });

  it('stay with a pinned message, and where one is pinned itself', () => {
    const [first, , second] = log;
    expect(chosen(maskAll, [...log, forms({ target: targetOf.exchange(second!.id), form: 'pinned' })])).not.toContain(
      'c',
    );
    const pin = forms({ target: targetOf.image(first!.id, 'a'.repeat(64)), form: 'pinned' });
    expect(chosen(maskAll, [...log, pin])).not.toContain('a');
  });
});

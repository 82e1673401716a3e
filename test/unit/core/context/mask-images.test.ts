/** @jest-environment node */
import { imagesToMask, maskAll } from '../../../../src/core/context/compaction/clear-old-parts';
import { visibleEntries } from '../../../../src/core/request/history';
import type { FormChange, Mention, SessionEntry } from '../../../../src/core/session/entry';
import { targetOf } from '../../../../src/core/session/log-state';
import { entry } from '../../../support/entries';

/** An image of 600 tokens. */
function image(letter: string): Mention {
  const digest = letter.repeat(64);
  const sent = { digest, mediaType: 'image/png', width: 750, height: 600, bytes: 9, conversation: 'c1' } as const;
  return { kind: 'image', id: `${letter}.png`, label: letter, image: sent };
}

const asked = (...letters: string[]): SessionEntry =>
  entry({ kind: 'user', text: 'See.', mentions: letters.map(image) });
const masked = (from: SessionEntry, letter: string): FormChange => ({
  target: targetOf.image(from.id, letter.repeat(64)),
  form: 'masked',
});

describe('images to put aside', () => {
  const log = [asked('a', 'b'), asked('c'), asked('d'), asked('e')];
  const [first, second, third] = log as [SessionEntry, SessionEntry, SessionEntry, SessionEntry];
  const ofLog = (entries: SessionEntry[], limits = maskAll): FormChange[] =>
    imagesToMask(entries, visibleEntries(entries), limits);

  it('R218 are the oldest, but for those of the newest message', () => {
    expect(ofLog(log)).toEqual([masked(first, 'b'), masked(first, 'a'), masked(second, 'c'), masked(third, 'd')]);
    expect(ofLog(log, { protect: 1_200, least: 1 })).not.toContainEqual(masked(third, 'd'));
    expect(ofLog(log, { protect: 1_200, least: 1_800 })).toHaveLength(3);
    expect(ofLog(log, { protect: 1_200, least: 1_801 })).toEqual([]);
    expect(ofLog([asked('a')])).toEqual([]);
  });

  it('R218 are told once, and pinned ones never', () => {
    const forms: FormChange[] = [
      masked(first, 'a'),
      { target: targetOf.image(second.id, 'c'.repeat(64)), form: 'pinned' },
    ];
    const pinned = [...log, entry({ kind: 'context-forms', forms, by: 'user' })];
    expect(ofLog(pinned)).toEqual([masked(first, 'b'), masked(third, 'd')]);
    const exchange = entry({
      kind: 'context-forms',
      forms: [{ target: targetOf.exchange(third.id), form: 'pinned' }],
      by: 'user',
    });
    expect(ofLog([...pinned, exchange])).toEqual([masked(first, 'b')]);
  });
});

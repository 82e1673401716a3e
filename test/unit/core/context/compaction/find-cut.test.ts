import * as fc from 'fast-check';
import { entrySize, findCut, sentImageTokens, sizeOfAll } from '../../../../../src/core/context/compaction/choose-cut';
import { imageTokens } from '../../../../../src/core/ports/message';
import type { SessionEntry } from '../../../../../src/core/session/entry';
import { answer, entry, result, toolCall, user } from '../../../../support/entries';

const lengthOf = (each: SessionEntry): number => ('text' in each ? each.text.length : JSON.stringify(each).length);

/** Exchanges of the same size: a message of 10, an answer of 90. */
function exchanges(count: number): SessionEntry[] {
  return Array.from({ length: count }, () => [entry(user('u'.repeat(10))), entry(answer('a'))]).flat();
}
const even = (each: SessionEntry): number => (each.kind === 'user' ? 10 : 90);

describe('findCut', () => {
  it('R244: cuts at the first message of the user at or after seven tenths of the tokens', () => {
    expect(findCut(exchanges(10), even)).toBe(14);
    expect(findCut(exchanges(20), even)).toBe(28);
  });

  it('K28: keeps the last two exchanges, even when they are more than three tenths', () => {
    expect(findCut(exchanges(4), even)).toBe(4);
    expect(findCut(exchanges(3), even)).toBe(2);
  });

  it('K28: a message that waits for its answer is no exchange, and always stays', () => {
    const entries = [...exchanges(4), entry(user('pending'))];
    expect(findCut(entries, even)).toBe(4);
    expect(
      findCut([entry(user('one')), entry(answer('two')), entry(user('pending'))], even, {
        share: 0.7,
        exchanges: 0,
        retainedTokens: 1,
      }),
    ).toBe(2);
  });

  it('K28: what stays has a ceiling, but the newest message stays whatever it holds', () => {
    expect(findCut(exchanges(100), even, { share: 0.7, exchanges: 2, retainedTokens: 500 })).toBe(190);
    expect(findCut(exchanges(10), even, { share: 0.7, exchanges: 2, retainedTokens: 1 })).toBe(18);
  });

  it('R240 R244: says that there is nothing to cut in an empty history and in one of a single giant turn', () => {
    expect(findCut([], even)).toBeNull();
    const giant = [
      entry(user('start')),
      ...Array.from({ length: 50 }, (_, index) => [
        entry(answer(toolCall(`c${index}`))),
        entry(result(`c${index}`)),
      ]).flat(),
    ];
    expect(findCut(giant, lengthOf)).toBeNull();
  });

  it('R244: never cuts between a call and its result', () => {
    const step = fc.constantFrom('user', 'answer', 'call');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat({ max: 5_000 }), (steps, retainedTokens) => {
        let calls = 0;
        const entries = steps.flatMap((kind) => {
          if (kind === 'user') return [entry(user('question'))];
          if (kind === 'answer') return [entry(answer('words'))];
          calls += 1;
          return [entry(answer(toolCall(`c${calls}`))), entry(result(`c${calls}`))];
        });
        const cut = findCut(entries, lengthOf, { share: 0.7, exchanges: 2, retainedTokens });
        const newest = entries.map(({ kind }) => kind).lastIndexOf('user');
        return cut === null || (cut > 0 && cut <= newest && entries[cut]?.kind === 'user');
      }),
      { numRuns: 20_000 },
    );
  });
});

it('adds up what entries send, and nothing for those that send nothing', () => {
  const entries = [entry(user('The keel is sound.')), entry(answer('It is.')), entry(answer(toolCall('c1')))];
  const sizes = entries.map(entrySize);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
  expect(sizeOfAll(entries)).toBe(sizes.reduce((sum, size) => sum + size, 0));
  expect(sizeOfAll([])).toBe(0);
});

it('counts an image that is sent by its size, and one that is cleared by its words alone', () => {
  const image = {
    ...{ digest: 'a', mediaType: 'image/png', width: 1_000, height: 1_000, bytes: 9, conversation: 'c' },
  } as const;
  const mention = { kind: 'image', id: 'A.png', label: 'A.png', image } as const;
  const [sent, cleared, noted] = [mention, { ...mention, image: { ...image, isCleared: true } }, { kind: 'note' }].map(
    (each) => entry({ ...user('See'), mentions: [each] } as never),
  );
  expect(sentImageTokens(sent!)).toBe(imageTokens(1_000, 1_000));
  expect([sentImageTokens(cleared!), sentImageTokens(noted!), sentImageTokens(entry(answer('Yes.')))]).toEqual([
    0, 0, 0,
  ]);
  expect(entrySize(sent!)).toBeGreaterThan(imageTokens(1_000, 1_000));
});

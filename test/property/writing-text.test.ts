/** Properties of edits, merges, changesets and approvals over text of every kind (section 9 of the rules). */
import * as fc from 'fast-check';
import { isWritable } from '../../src/core/markdown/encoding';
import { setProperty } from '../../src/core/markdown/properties';
import {
  approvalToken,
  type FileChange,
  hunksOfChange,
  packChangeset,
  reviewChangeset,
  unpackChangeset,
} from '../../src/core/writing/changeset/changeset';
import { applyHunks, hunksOf, mergeBack, mergeTexts } from '../../src/core/writing/changeset/diff';
import { newActiveContent } from '../../src/core/writing/guard/active-content';
import { editText } from '../../src/core/writing/stage/edit-text';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { digest } from '../support/memory-ports';
import { yaml } from '../support/writing-bench';
import { hostileText, seed } from './hostile-text';

/** Times the usual number of cases: WRITING_FACTOR=10 for the full count. */
const factor = Number(process.env['WRITING_FACTOR'] ?? 1);
const runs = (count: number) => ({ numRuns: count * factor, seed });

const lines = fc
  .array(
    fc.tuple(fc.constantFrom('a', 'b', '', 'same', '# h', '- [ ] t', '$&', '---'), fc.constantFrom('\n', '\r\n')),
    {
      maxLength: 14,
    },
  )
  .map((list) => list.flat().join(''));
const anyText = fc.oneof(
  hostileText,
  lines,
  fc.tuple(lines, hostileText).map((parts) => parts.join('')),
);

/** All places of a text in another one, those that overlap included. */
function placesOf(text: string, wanted: string): number[] {
  return Array.from({ length: text.length + 1 }, (_, at) => at).filter((at) => text.startsWith(wanted, at));
}

describe('an edit', () => {
  it('R220 replaces one place, keeps every byte around it', () => {
    let done = 0;
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(30), hostileText, (text, at, length, replacement) => {
        const start = text.length === 0 ? 0 : at % text.length;
        const anchor = text.slice(start, start + length);
        const outcome = editText('N.md', text, anchor, replacement);
        if (!outcome.ok) return;
        done += 1;
        // No Windows line ending is torn: one that the anchor ends within is none of its places, and one that it begins
        // within is replaced as a whole.
        const isHalf = (offset: number): boolean => text.slice(0, offset).endsWith('\r') && text[offset] === '\n';
        const places = placesOf(text, anchor).filter((place) => !isHalf(place + anchor.length));
        expectSame(places.length, 1);
        const [found = 0] = places;
        const first = isHalf(found) ? found - 1 : found;
        const end = found + anchor.length;
        const edited = outcome.value;
        expectSame(edited.startsWith(text.slice(0, first)), true);
        expectSame(edited.endsWith(text.slice(end)), true);
        const middle = edited.slice(first, edited.length - (text.length - end));
        expectSame(middle.replace(/\r*\n/g, '\n'), replacement.replace(/\r*\n/g, '\n'));
        expectSame(isWritable(middle), true);
      }),
      runs(6_000),
    );
    expect(done).toBeGreaterThan(800);
  });

  it('the control: replacing by a pattern corrupts what the new text holds', () => {
    const broken = fc
      .sample(fc.tuple(fc.constantFrom('$&', '$$', "$'", '$`'), lines), { numRuns: 200, seed })
      .filter(([sign, text]) => `${text}x`.replace('x', sign) !== `${text}${sign}`);
    expect(broken.length).toBeGreaterThan(100);
  });
});

describe('hunks', () => {
  it('carried out give the text after, none of them the text before, and some a mixture of both', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.array(fc.boolean(), { maxLength: 20 }), (before, after, choice) => {
        const hunks = hunksOf(before, after);
        expectSame(
          applyHunks(before, hunks, () => true),
          after,
        );
        expectSame(
          applyHunks(before, hunks, () => false),
          before,
        );
        for (const { start, end, removed } of hunks) expectSame(before.slice(start, end), removed);
        const some = applyHunks(before, hunks, ({ index }) => choice[index] === true);
        const rest = hunksOf(some, after);
        expectSame(
          applyHunks(some, rest, () => true),
          after,
        );
      }),
      runs(2_500),
    );
  });

  it('survive the log, and what is accepted of them is worked out from the same base', () => {
    fc.assert(
      fc.property(anyText.filter(isWritable), anyText.filter(isWritable), fc.nat(5), (before, after, pick) => {
        const change = changeFrom(before, after);
        const changeset = { id: 's', changes: [change] };
        expectSame(unpackChangeset(JSON.parse(JSON.stringify(packChangeset(changeset))), digest), changeset);
        const { accepted } = reviewChangeset(changeset, () => ({ hunks: [pick], move: true }));
        const hunk = hunksOfChange(change)[pick];
        if (hunk === undefined) expectSame(accepted.changes, []);
        else {
          const expected = before.slice(0, hunk.start) + hunk.added + before.slice(hunk.end);
          expectSame(accepted.changes[0]?.text, expected);
        }
      }),
      runs(1_200),
    );
  });
});

function changeFrom(before: string, after: string): FileChange {
  const base = { hash: digest(before), text: before };
  return { id: 'c', from: 'N.md', to: 'N.md', base, text: after, calls: [], taint: null };
}

describe('a merge', () => {
  it('is the same both ways round but for line endings, and takes what only one side changed', () => {
    fc.assert(
      fc.property(lines, lines, lines, (mine, base, theirs) => {
        expectSame(mergeTexts(mine, base, base), mine);
        expectSame(mergeTexts(base, base, theirs), theirs);
        const merged = mergeTexts(mine, base, theirs);
        const mirrored = mergeTexts(theirs, base, mine);
        expectSame(mirrored === null ? null : plain(mirrored), merged === null ? null : plain(merged));
        if (![mine, base, theirs].join('').includes('\r\n')) expectSame(mirrored, merged);
        if (merged === null) return;
        // Nothing comes from nowhere, and a line of the current text keeps its line ending.
        const known = new Set([mine, base, theirs].flatMap((text) => split(plain(text))));
        const strange = split(merged).filter((line) => !known.has(plain(line)));
        expectSame(strange, []);
        const isPlain = mine.includes('\n') && plain(mine) === mine;
        if (mine !== base && isPlain) expectSame(merged.includes('\r\n'), false);
      }),
      runs(2_500),
    );
  });
});

/** Lines of a note before a change, after it, and after what the user did since; no text is in two lines. */
const historyOf = (userLine: fc.Arbitrary<boolean>) =>
  fc
    .record({
      before: fc.array(fc.boolean(), { maxLength: 9 }),
      change: fc.record({ at: fc.nat(9), cut: fc.nat(3), added: fc.array(fc.boolean(), { maxLength: 2 }) }),
      since: fc.array(
        fc.record({
          at: fc.nat(12),
          cut: fc.oneof(fc.constant(0), fc.nat(6)),
          added: fc.array(userLine, { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    })
    .map(({ before, change, since }) => {
      let written = 0;
      const write = (by: string) => (isText: boolean) => (isText ? `${by}${(written += 1)}` : '');
      const edit = (lines: readonly string[], { at, cut, added }: typeof change, by: string): string[] => [
        ...[...lines.slice(0, at), ...added.map(write(by))],
        ...lines.slice(at + cut),
      ];
      const old = before.map(write('old'));
      const changed = edit(old, change, 'docent');
      return { old, changed, now: since.reduce((lines, each) => edit(lines, each, 'user'), changed) };
    });

describe('an undo', () => {
  const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  const told = (lines: readonly string[]): string[] => lines.filter((line) => line !== '');

  it('keeps what the user wrote since, and puts text back only where it was, in what is left of the note', () => {
    const counts = { merged: 0, refused: 0 };
    fc.assert(
      fc.property(historyOf(fc.boolean()), ({ old, changed, now }) => {
        const [mine, base, theirs] = [now, changed, old].map(textOf) as [string, string, string];
        if (base === theirs || mine === base) return;
        const merged = mergeBack(mine, base, theirs);
        counts[merged === null ? 'refused' : 'merged'] += 1;
        if (merged === null) return;
        const lines = told(merged.split('\n'));
        const isOfUser = (line: string): boolean => line.startsWith('user');
        expectSame(lines.filter(isOfUser), now.filter(isOfUser));
        const [was, left] = [told(old), told(now).filter((line) => changed.includes(line))];
        const isBack = (line: string): boolean => was.includes(line) && !changed.includes(line);
        const isReplaced = left.some((line) => !lines.includes(line));
        /** The next lines in the text now and in the one before that are not given back. */
        const lineAfter = (line: string, step: 1 | -1, isOut: (line: string) => boolean) =>
          [lines, was].map((list) => {
            const rest = step === 1 ? list.slice(list.indexOf(line)) : list.slice(0, list.indexOf(line) + 1).reverse();
            return rest.find((each) => !isBack(each) && !isOut(each));
          });
        for (const line of lines.filter(isBack)) {
          const sides = [1, -1] as const;
          const isNextTo = sides
            .map((step) => lineAfter(line, step, isOfUser))
            .some(([here, there]) => here !== undefined && here === there);
          const isAtEnd = sides
            .map((step) => lineAfter(line, step, () => false))
            .some(([here, there]) => here === undefined && there === undefined);
          const isNote = left.length > 0 || told(now).length === 0;
          expectSame(isNextTo || ((isAtEnd || isReplaced) && isNote), true);
        }
      }),
      runs(4_000),
    );
    expect(counts.merged).toBeGreaterThan(1_000);
    expect(counts.refused).toBeGreaterThan(200);
  });

  // A comparison may find more empty lines again than lines with text, if the user adds some.
  it('is made wherever a merge can be and a line next to the change is as it was', () => {
    fc.assert(
      fc.property(historyOf(fc.constant(true)), ({ old, changed, now }) => {
        const [mine, base, theirs] = [now, changed, old].map(textOf) as [string, string, string];
        const isLeft = (line: string | undefined): boolean => line !== undefined && now.includes(line);
        const hasPlace = hunksOf(base, theirs).every(
          ({ start, end }) =>
            isLeft(told(base.slice(0, start).split('\n')).at(-1)) || isLeft(told(base.slice(end).split('\n')).at(0)),
        );
        if (hasPlace) expectSame(mergeBack(mine, base, theirs), mergeTexts(mine, base, theirs));
      }),
      runs(4_000),
    );
  });
});

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function split(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

describe('a property', () => {
  it('F39 is set so that all others and the body stay as they were, or not at all', () => {
    let done = 0;
    const value = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null), hostileText);
    const entry = fc.tuple(fc.constantFrom('a', 'b', 'c', 'tags', 'odd key', '1'), value);
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 4 }),
        hostileText,
        entry,
        fc.boolean(),
        (properties, body, [key, wanted], remove) => {
          const block = properties.length === 0 ? '' : yaml.stringify(Object.fromEntries(properties));
          const before = (yaml.parse(block) ?? {}) as Record<string, unknown>;
          const text = `---\n${block}---\n${body}`;
          const outcome = setProperty('N.md', text, key, remove ? undefined : wanted, yaml);
          if (!outcome.ok) return;
          done += 1;
          expectSame(outcome.value.endsWith(body), true);
          const left = outcome.value.slice(0, outcome.value.length - body.length);
          const after = left === '' ? {} : (yaml.parse(left.slice(4, -4)) ?? {});
          const expected: Record<string, unknown> = { ...before, [key]: wanted };
          if (remove) delete expected[key];
          expectSame(after, JSON.parse(JSON.stringify(expected)));
        },
      ),
      runs(1_500),
    );
    expect(done).toBeGreaterThan(400);
  });
});

describe('active content', () => {
  it('is found again in whatever it is put, and an edit elsewhere adds none', () => {
    const payload = fc.constantFrom('```dataviewjs\nx\n```', '<% x %>', '<iframe src=x>', '![](https://x.org/a)');
    fc.assert(
      fc.property(lines, payload, lines, (before, active, after) => {
        const text = `${before}\n${active}\n${after}`;
        expectSame(newActiveContent('N.md', `${before}\n${after}`, text).length > 0, true);
        expectSame(newActiveContent('N.md', text, `${text}\nmore words`), []);
      }),
      runs(800),
    );
  });
});

describe('an approval', () => {
  it('H11 has another token when any path, hash, text or argument is another', () => {
    const path = fc.oneof(fc.constant(null), fc.string({ maxLength: 6 }));
    const change: fc.Arbitrary<FileChange> = fc.record({
      id: fc.constant('c'),
      from: path,
      to: path,
      base: fc.oneof(
        fc.constant(null),
        fc.string({ maxLength: 4 }).map((text) => ({ hash: digest(text), text })),
      ),
      text: fc.oneof(fc.constant(null), fc.string({ maxLength: 4 })),
      calls: fc.array(
        fc.record({
          id: fc.string({ maxLength: 2 }),
          tool: fc.string({ maxLength: 2 }),
          arguments: fc.string({ maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      taint: fc.constant(null),
    });
    // Returns what the token identifies: a deletion has no text after it.
    const meaning = ({ from, to, base, text, calls }: FileChange): string =>
      JSON.stringify([from, to, base?.hash, to === null ? null : text, calls]);
    fc.assert(
      fc.property(change, change, (one, two) => {
        const same = approvalToken(one, digest) === approvalToken(two, digest);
        expectSame(same, meaning(one) === meaning(two));
        expectSame(approvalToken({ ...one }, digest), approvalToken(one, digest));
      }),
      runs(4_000),
    );
  });
});

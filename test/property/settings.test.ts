/** For any content of the settings file, reading never throws, every value is valid, and unknown keys are preserved. */
import * as fc from 'fast-check';
import { mergeChange } from '../../src/core/base/equality';
import { decodeSettings, defaultSettings, encodeSettings, type Settings } from '../../src/core/settings/settings';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { seed } from './hostile-text';

const keys = Object.keys(defaultSettings) as (keyof Settings)[];
const key = fc.oneof(
  fc.constantFrom<string>(...keys, '__proto__', 'constructor', 'toString', 'hasOwnProperty'),
  fc.string({ maxLength: 6 }),
);
const stored = fc.oneof(
  fc.jsonValue(),
  fc.array(fc.tuple(key, fc.jsonValue())).map((pairs) => Object.fromEntries(pairs)),
);
const lastGood: Settings = { ...defaultSettings, agentName: 'Ada', agentFolder: 'Agent', tier: 2 };

describe('decoding settings', () => {
  it('S9 F14 always gives valid settings, keeps foreign keys, and says what it refused', () => {
    fc.assert(
      fc.property(stored, (value) => {
        const { settings, unknown, problems } = decodeSettings(value, lastGood);
        expectSame(Object.keys(settings).sort(), [...keys].sort());
        expectSame(decodeSettings(settings, defaultSettings).problems, []);
        for (const { key: refused } of problems) {
          if (refused !== '' && refused !== 'version') {
            expectSame(settings[refused as keyof Settings], lastGood[refused as keyof Settings]);
          }
        }
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
        const written = encodeSettings(settings, unknown);
        for (const [name, stored] of Object.entries(value)) {
          if (!Object.hasOwn(defaultSettings, name)) {
            expectSame(Object.getOwnPropertyDescriptor(written, name)?.value, stored);
          }
        }
        const again = decodeSettings(written, lastGood);
        // A newer version stays newer, and is said again; nothing else is wrong with what was written.
        const newer = problems.filter(({ problem }) => problem === 'newer-version');
        expectSame([again.settings, again.problems], [settings, newer]);
      }),
      { numRuns: 5_000, seed },
    );
  });

  it('never lets a stored key reach what all objects share', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        decodeSettings(JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":{"prototype":{"x":1}}}`));
        expectSame(Object.keys(Object.prototype), []);
      }),
      { numRuns: 500, seed },
    );
  });
});

describe('two devices that change a list of records', () => {
  interface Entry {
    readonly name: string;
    readonly url?: number;
    readonly isOn?: boolean;
  }
  const list = (urls: fc.Arbitrary<number>): fc.Arbitrary<Entry[]> => {
    const names = fc.constantFrom('a', 'b', 'c', '__proto__');
    const entry = fc.record({ name: names, url: urls, isOn: fc.boolean() }, { noNullPrototype: true });
    return fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 4 });
  };
  const merge = (before: Entry[], changed: Entry[], stored: Entry[]): Entry[] =>
    mergeChange(before, changed, stored) as Entry[];
  const sorted = (entries: readonly Entry[]): Entry[] =>
    [...entries].sort((a, b) => a.name.localeCompare(b.name) || (a.url ?? 0) - (b.url ?? 0));

  it('loses nothing that either added or changed, and brings back nothing that either removed', () => {
    const same = fc.nat({ max: 1 });
    fc.assert(
      fc.property(list(same), list(fc.nat({ max: 2 })), list(fc.constantFrom(0, 1, 3)), (before, changed, stored) => {
        const merged = merge(before, changed, stored);
        for (const name of ['a', 'b', 'c', '__proto__']) {
          const [was, own, other] = [before, changed, stored].map((each) => each.find((entry) => entry.name === name));
          const found = merged.filter((entry) => entry.name === name);
          const isOwn = JSON.stringify(own) !== JSON.stringify(was);
          if (was === undefined) {
            const added = [own, other].filter((entry) => entry !== undefined);
            expectSame(found, added.length === 2 && !isDifferent(own, other) ? [own] : added);
          } else if (own === undefined) expectSame(found, []);
          else if (other === undefined) expectSame(found, isOwn ? [own] : []);
          else {
            const url = own.url === was.url ? other.url : own.url;
            expectSame(found, [{ name, url, isOn: own.isOn === was.isOn ? other.isOn : own.isOn }]);
          }
        }
      }),
      { numRuns: 3_000, seed },
    );
  });

  it('gives what one of them has if only that one changed it', () => {
    fc.assert(
      fc.property(list(fc.nat({ max: 1 })), list(fc.nat({ max: 2 })), (before, after) => {
        expectSame(merge(before, after, before), after);
        expectSame(sorted(merge(before, before, after)), sorted(after));
        expectSame(merge(before, after, after), after);
      }),
      { numRuns: 1_000, seed },
    );
  });

  function isDifferent(one: unknown, other: unknown): boolean {
    return JSON.stringify(one) !== JSON.stringify(other);
  }
});

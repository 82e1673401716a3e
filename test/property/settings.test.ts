/** For any content of the settings file, reading never throws, every value is valid, and unknown keys are preserved. */
import * as fc from 'fast-check';
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

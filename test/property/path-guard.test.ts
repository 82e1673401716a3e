/** Every path the guard accepts is inside the vault, by the path rules of Windows and of POSIX (H1, H2, rules 6.4). */
import * as fc from 'fast-check';
import { guardExistingPath, guardNewPath } from '../../src/core/writing/guard/path-guard';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { anyPath, configDir, escapes, naiveGuard } from './hostile-paths';
import { seed } from './hostile-text';

describe('the path guard', () => {
  it('H1 H2 accepts no new path outside the vault or into its settings, and gives it unchanged', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyPath, configDir, (asked, config) => {
        const outcome = guardNewPath(asked, config);
        if (!outcome.ok) return;
        accepted += 1;
        expectSame(escapes(asked, config), null);
        expectSame(outcome.value, asked);
        expectSame(guardNewPath(outcome.value, config), outcome);
        expectSame(/[:*?"<>|]/.exec(asked), null);
        const tooLong = asked.split('/').filter((segment) => Buffer.byteLength(segment) > 240);
        expectSame(tooLong, []);
      }),
      { numRuns: 60_000, seed },
    );
    expect(accepted).toBeGreaterThan(5_000);
  });

  it('H1 H2 accepts no indexed path outside the vault, even from an index that holds everything', () => {
    const index = { file: (asked: string) => ({ path: asked, kind: 'note' as const, size: 0, modified: 0 }) };
    let accepted = 0;
    fc.assert(
      fc.property(anyPath, configDir, (asked, config) => {
        const outcome = guardExistingPath(asked, index, config);
        if (!outcome.ok) return;
        accepted += 1;
        expectSame(escapes(asked, config), null);
      }),
      { numRuns: 40_000, seed },
    );
    expect(accepted).toBeGreaterThan(5_000);
  });

  it('never throws, whatever it is handed', () => {
    fc.assert(
      fc.property(fc.anything(), (asked) => {
        expectSame(typeof guardNewPath(asked, '.obsidian').ok, 'boolean');
      }),
      { numRuns: 5_000, seed },
    );
  });

  it('is needed: a naive guard lets paths out', () => {
    const out = fc.sample(anyPath, { numRuns: 5_000, seed }).filter(naiveGuard);
    expect(out.filter((asked) => escapes(asked, 'config') !== null).length).toBeGreaterThan(100);
  });
});

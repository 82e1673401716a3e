/** Whatever the guard accepts lies inside the vault, by the rules of both families of systems (H1, H2, rules 6.4). */
import path from 'node:path';
import * as fc from 'fast-check';
import { guardExistingPath, guardNewPath } from '../../src/core/writing/path-guard';
import { seed } from './hostile-text';

const pieces = [
  '..',
  '.',
  '/',
  '\\',
  '//',
  '~',
  'C:',
  'c:',
  'a',
  'note',
  '.md',
  '.obsidian',
  '.Obsidian',
  'config',
  'CONFIG',
  'CONFIG~1',
  'OBSIDI~1',
  ' ',
  '\0',
  '\n',
  '%2e',
  '%2F',
  '%5c',
  'CON',
  'nul',
  'COM1',
  'lpt¹',
  ':',
  '::$DATA',
  '?',
  '*',
  '|',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  '．．',
  '。',
  '／',
  'é',
  'e\u0301',
  '👩‍🚀',
  'file:',
  'http://x',
  '$',
  '-',
];
const hostilePath = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 3 })), {
    minLength: 1,
    maxLength: 7,
  })
  .map((parts) => parts.join(''));
/** Mostly harmless, so that the guard has something to accept. */
const gentlePath = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9 é.~-]{1,6}$/), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'));
const anyPath = fc.oneof(hostilePath, gentlePath);
const configDir = fc.constantFrom('.obsidian', 'config', '.vault settings');

const roots = [
  { system: path.posix, root: '/home/me/vault' },
  { system: path.win32, root: 'D:\\Notes\\vault' },
];
/** What Windows makes of a name: dots and spaces at the end fall away. */
const onWindows = (name: string): string => name.replace(/[. ]+$/, '');

/** Why the path is not safe, or null. */
function escapes(accepted: string, config: string): string | null {
  for (const { system, root } of roots) {
    const resolved = system.resolve(root, accepted);
    if (!resolved.startsWith(root + system.sep)) return `leaves the vault: ${resolved}`;
    const inside = resolved.slice(root.length + 1).split(system.sep);
    if (inside.some((segment) => segment.startsWith('.'))) return `reaches a dot folder: ${resolved}`;
    if (
      onWindows(inside[0] ?? '')
        .normalize('NFKC')
        .toLowerCase() === config.toLowerCase()
    )
      return 'reaches the settings';
  }
  if (accepted.split(/[\\/]/).some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'odd segment';
  return null;
}

/** The control: a guard as it is often written. */
function naiveGuard(asked: string): boolean {
  return !asked.startsWith('/') && !asked.includes('../');
}

describe('the path guard', () => {
  it('H1 H2 accepts no new path outside the vault or into its settings, and gives it unchanged', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyPath, configDir, (asked, config) => {
        const outcome = guardNewPath(asked, config);
        if (!outcome.ok) return;
        accepted += 1;
        expect(escapes(asked, config)).toBeNull();
        expect(outcome.value).toBe(asked);
        expect(guardNewPath(outcome.value, config)).toEqual(outcome);
        expect(asked).not.toMatch(/[:*?"<>|]/);
        for (const segment of asked.split('/')) expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(240);
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
        expect(escapes(asked, config)).toBeNull();
      }),
      { numRuns: 40_000, seed },
    );
    expect(accepted).toBeGreaterThan(5_000);
  });

  it('never throws, whatever it is handed', () => {
    fc.assert(
      fc.property(fc.anything(), (asked) => {
        expect(typeof guardNewPath(asked, '.obsidian').ok).toBe('boolean');
      }),
      { numRuns: 5_000, seed },
    );
  });

  it('is needed: a naive guard lets paths out', () => {
    const out = fc.sample(anyPath, { numRuns: 5_000, seed }).filter(naiveGuard);
    expect(out.filter((asked) => escapes(asked, 'config') !== null).length).toBeGreaterThan(100);
  });
});

/** Arbitraries of paths that try to leave a vault, and the two families of systems that say whether one does. */
import path from 'node:path';
import * as fc from 'fast-check';

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
export const anyPath = fc.oneof(hostilePath, gentlePath);
export const configDir = fc.constantFrom('.obsidian', 'config', '.vault settings');

const roots = [
  { system: path.posix, root: '/home/me/vault' },
  { system: path.win32, root: 'D:\\Notes\\vault' },
];
/** What Windows makes of a name: dots and spaces at the end fall away. */
const onWindows = (name: string): string => name.replace(/[. ]+$/, '');

/** Why the path is not safe, or null. */
export function escapes(accepted: string, config: string): string | null {
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
export function naiveGuard(asked: string): boolean {
  return !asked.startsWith('/') && !asked.includes('../');
}

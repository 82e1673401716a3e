/** Opens the desktop around the vault: environment variables and files. The only folder that imports Node. */
import type { Computer } from '../core/ports/device';
import { type FailureKind, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import type { RealPaths } from '../core/writing/changeset/ports';
import { words } from '../text';

/** Bytes; a system prompt is a few pages at most. */
const maxFile = 1_000_000;

export interface ComputerOptions {
  /** Obsidian's own record of the platform. */
  readonly Platform: { readonly isDesktop: boolean };
  /** Absolute; null when unknown. */
  readonly vaultRoot: string | null;
}

export interface Desktop {
  /** Null on mobile. */
  readonly computer: Computer | null;
  /** Null on mobile, and where the vault is not a folder of a file system. */
  readonly realPaths: RealPaths | null;
}

export function openDesktop(options: ComputerOptions): Desktop {
  const { Platform } = options;
  const computer = openComputer(options);
  return { computer, realPaths: openRealPaths(Platform, computer) };
}

/** Returns null on mobile. */
export function openComputer({ Platform, vaultRoot }: ComputerOptions): Computer | null {
  if (!Platform.isDesktop) return null;
  const files = () => (Platform.isDesktop ? import('node:fs/promises') : Promise.reject(new Error()));
  return {
    home: readEnvironment('HOME') ?? readEnvironment('USERPROFILE') ?? null,
    vaultRoot,
    variable: readEnvironment,
    exists: async (path) => {
      try {
        await (await files()).access(path);
        return true;
      } catch {
        return false;
      }
    },
    folders: async (path) => {
      try {
        const entries = await (await files()).readdir(path, { withFileTypes: true });
        const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
        return folders.map(({ name }) => name).sort();
      } catch {
        return [];
      }
    },
    read: async (path) => {
      try {
        const { readFile, stat } = await files();
        const { size } = await stat(path);
        if (size > maxFile) return refuse('too-large', words.failures.tooLarge(path, `${size}`, `${maxFile}`));
        return succeed((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
      } catch (thrown) {
        return isMissing(thrown)
          ? refuse('not-found', words.failures.noteMissing(path))
          : refuse('unreadable', `${words.failures.noteUnreadable(path)} (${messageOf(thrown)})`);
      }
    },
    write: async (path, text) => {
      try {
        const { mkdir, writeFile } = await files();
        await mkdir(path.replace(/[\\/][^\\/]*$/, '') || '/', { recursive: true });
        await writeFile(path, text);
        return succeed(undefined);
      } catch (thrown) {
        return refuse('storage', words.ownPrompt.notWritten(path, messageOf(thrown)));
      }
    },
  };
}

/**
 * Resolves vault paths through links of the file system (6.4).
 * @returns null on mobile, and where the vault is not a folder of a file system
 */
export function openRealPaths(Platform: ComputerOptions['Platform'], computer: Computer | null): RealPaths | null {
  const vaultRoot = computer?.vaultRoot ?? null;
  if (!Platform.isDesktop || vaultRoot === null) return null;
  return {
    realPath: async (path) => {
      try {
        const { realpath } = await (Platform.isDesktop ? import('node:fs/promises') : Promise.reject(new Error()));
        return await realpath(path === '' ? vaultRoot : `${vaultRoot}/${path}`);
      } catch {
        return null;
      }
    },
  };
}

/** Returns undefined where there is no environment, as in a browser. */
function readEnvironment(name: string): string | undefined {
  return (window as Holder).process?.env?.[name];
}

interface Holder {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

function isMissing(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOENT';
}

function refuse(kind: FailureKind, message: string): Outcome<never> {
  return fail({ kind, words: message, remedy: words.failures.noteUnreadableRemedy });
}

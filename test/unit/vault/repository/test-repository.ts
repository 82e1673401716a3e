/** A real repository in a temporary folder, made by git, and the reader of the plugin over it. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RepositoryChanges } from '../../../../src/core/ports/device';
import type { Failure, Outcome } from '../../../../src/core/ports/failure';
import type { ReadingAdapter } from '../../../../src/vault/repository/git-folder';
import { readChanges, type RepositoryOptions } from '../../../../src/vault/repository/read-changes';

/** Whether this machine has git; tests that need it are skipped, and counted as skipped, where it is missing. */
export const hasGit = spawnSync('git', ['--version']).status === 0;
export const describeWithGit = hasGit ? describe : describe.skip;

/** Settings of the machine and of its user are left out. */
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };

export class TestRepository {
  readonly folder: string;
  /** Every path that the reader asked for. */
  readonly read: string[] = [];
  private readonly around: string;

  /** @param name of the vault's folder, below a folder of its own */
  constructor(name = 'vault') {
    this.around = realpathSync(mkdtempSync(path.join(tmpdir(), 'docent-repository-')));
    this.folder = path.join(this.around, name);
    mkdirSync(this.folder, { recursive: true });
  }

  /** Runs git in the vault's folder and returns what it prints. */
  git(...parameters: string[]): string {
    const options = { cwd: this.folder, encoding: 'utf8', env: environment, stdio: 'pipe' } as const;
    const who = ['user.name=a', 'user.email=a@b', 'protocol.file.allow=always', 'gc.auto=0'].flatMap((set) => [
      '-c',
      set,
    ]);
    return execFileSync('git', [...who, ...parameters], { ...options, maxBuffer: 1e9 });
  }

  /** Makes the repository and its first commit. */
  start(files: Readonly<Record<string, string | Uint8Array>>): void {
    this.git('init', '-q', '-b', 'main');
    for (const [name, content] of Object.entries(files)) this.write(name, content);
    this.commit();
  }

  commit(): void {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'x');
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  bytes(name: string): Uint8Array {
    return readFileSync(this.at(name));
  }

  /** A disk as Obsidian's adapter shows it. */
  get adapter(): ReadingAdapter {
    const note = (name: string): string => (this.read.push(name), this.at(name));
    return {
      stat: async (name) => {
        const found = statSync(note(name), { throwIfNoEntry: false });
        if (found === undefined) return null;
        const { birthtimeMs, mtimeMs, size } = found;
        const type = found.isDirectory() ? 'folder' : 'file';
        return { type, ctime: Math.round(birthtimeMs), mtime: Math.round(mtimeMs), size };
      },
      list: async (name) => {
        const entries = readdirSync(note(name), { withFileTypes: true });
        const pick = (isFolder: boolean) =>
          entries.filter((entry) => entry.isDirectory() === isFolder).map((entry) => `${name}/${entry.name}`);
        return { files: pick(false), folders: pick(true) };
      },
      readBinary: async (name) => {
        const bytes = readFileSync(note(name));
        return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
      },
    };
  }

  changes(options: Partial<RepositoryOptions> = {}, signal = new AbortController().signal) {
    const realPath = async (name: string): Promise<string | null> => {
      try {
        return realpathSync(this.at(name));
      } catch {
        return null;
      }
    };
    return readChanges(
      {
        adapter: this.adapter,
        realPaths: { realPath },
        convertsLineEnds: false,
        configDir: '.obsidian',
        isHidden: (each) => each.startsWith('Private/'),
        isHiddenText: (text) => /^docent: false$/m.test(text),
        ...options,
      },
      signal,
    );
  }

  /** What a commit would contain; throws with the words of a failure. */
  async look(options: Partial<RepositoryOptions> = {}): Promise<RepositoryChanges> {
    const changes = await this.changes(options);
    if (!changes.ok) throw new Error(changes.failure.words);
    return changes.value;
  }

  /** Why it cannot be read; throws if it can. */
  async refusal(options: Partial<RepositoryOptions> = {}): Promise<Failure> {
    const changes: Outcome<RepositoryChanges> = await this.changes(options);
    if (changes.ok) throw new Error(`It was read: ${JSON.stringify(changes.value)}`);
    return changes.failure;
  }

  remove(): void {
    rmSync(this.around, { recursive: true, force: true });
  }
}

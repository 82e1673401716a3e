/** A repository in a temporary folder, made by git or without it, and the reader of the plugin over it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { deflateSync } from 'node:zlib';
import type { RepositoryChanges } from '../../../../src/core/ports/device';
import type { Failure, Outcome } from '../../../../src/core/ports/failure';
import type { ReadingAdapter } from '../../../../src/vault/repository/git-folder';
import { readChanges, type RepositoryOptions } from '../../../../src/vault/repository/read-changes';

/** Whether this machine has git; tests that need it are skipped, and counted as skipped, where it is missing. */
export const hasGit = spawnSync('git', ['--version']).status === 0;
export const describeWithGit = (name: string, define: () => void): void =>
  (hasGit ? describe : describe.skip)(name, define);

/** Settings of the machine and of its user are left out. */
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };

/** Without maintenance, a commit starts one process less. */
const settings = [
  'user.name=a',
  'user.email=a@b',
  'protocol.file.allow=always',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

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
    return execFileSync('git', [...settings, ...parameters], { ...options, maxBuffer: 1e9 });
  }

  /** Makes the repository and its first commit. */
  start(files: Readonly<Record<string, string | Uint8Array>>): void {
    this.git('init', '-q', '-b', 'main');
    for (const [name, content] of Object.entries(files)) this.write(name, content);
    this.commit();
  }

  /**
   * Makes the repository without git: its last commit in loose objects, and its index.
   * @param staged what the next commit would hold; by default, the same
   * @param modified when the index saw the files change, in whole seconds
   */
  make(
    committed: Readonly<Record<string, string>>,
    staged: Readonly<Record<string, string>> = committed,
    modified = 0,
  ): void {
    const tree = this.makeTree(new Map(Object.entries(committed)));
    const who = 'a <a@b> 1700000000 +0000';
    const last = this.makeObject('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nx\n`));
    this.write('.git/HEAD', 'ref: refs/heads/main\n');
    this.write('.git/refs/heads/main', `${last}\n`);
    this.write('.git/config', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
    const entries = Object.entries(staged).map(([name, text]) => {
      const head = Buffer.alloc(62);
      head.writeUInt32BE(modified, 8);
      head.writeUInt32BE(0o100644, 24);
      head.writeUInt32BE(Buffer.byteLength(text), 36);
      Buffer.from(this.makeObject('blob', Buffer.from(text)), 'hex').copy(head, 40);
      head.writeUInt16BE(Buffer.byteLength(name), 60);
      const named = Buffer.concat([head, Buffer.from(name)]);
      return { name: Buffer.from(name), bytes: Buffer.concat([named, Buffer.alloc(8 - (named.length % 8))]) };
    });
    const counts = Buffer.from([0, 0, 0, 2, 0, 0, 0, entries.length]);
    const sorted = entries.sort((one, other) => Buffer.compare(one.name, other.name)).map(({ bytes }) => bytes);
    const body = Buffer.concat([Buffer.from('DIRC'), counts, ...sorted]);
    this.write('.git/index', Buffer.concat([body, createHash('sha1').update(body).digest()]));
  }

  /** Stores a loose object and returns its name. */
  private makeObject(kind: string, content: Uint8Array): string {
    const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const oid = createHash('sha1').update(bytes).digest('hex');
    this.write(`.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, deflateSync(bytes));
    return oid;
  }

  private makeTree(files: ReadonlyMap<string, string>): string {
    const folders = new Map<string, Map<string, string>>();
    const entries: { readonly order: Buffer; readonly bytes: Buffer }[] = [];
    const add = (mode: string, name: string, oid: string): void => {
      const bytes = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
      // Git sorts a folder as if its name ended in a slash.
      entries.push({ order: Buffer.from(mode === '40000' ? `${name}/` : name), bytes });
    };
    for (const [name, text] of files) {
      const [first = '', ...rest] = name.split('/');
      if (rest.length === 0) add('100644', name, this.makeObject('blob', Buffer.from(text)));
      else folders.set(first, (folders.get(first) ?? new Map<string, string>()).set(rest.join('/'), text));
    }
    for (const [name, inside] of folders) add('40000', name, this.makeTree(inside));
    const sorted = entries.sort((one, other) => Buffer.compare(one.order, other.order));
    return this.makeObject('tree', Buffer.concat(sorted.map(({ bytes }) => bytes)));
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

/**
 * A vault in a real folder, reached through the workbench server's routes. What is read in the same step of the program
 * goes to the server together: a request a file costs more than the file.
 */
import type { DataWriteOptions, Stat } from 'obsidian';
import { EmulatedAdapter, MissingFileError, type ListedEntry } from './adapter';
import type { ServerAnswer, ServerLine } from './server-line';

export interface FolderAdapterOptions {
  line: ServerLine;
  name?: string;
}

interface WaitingRead {
  path: string;
  resolve(bytes: Uint8Array<ArrayBuffer>): void;
  reject(reason: unknown): void;
}

/** What the server says of one file of several, in the first line of its answer; the bytes follow in the same order. */
type ReadHeader = { size: number } | { status: number; error: string };

const newline = 10;

export class FolderAdapter extends EmulatedAdapter {
  private readonly options: Required<FolderAdapterOptions>;
  private waitingReads: WaitingRead[] = [];

  constructor({ line, name = 'Workbench' }: FolderAdapterOptions) {
    super();
    this.options = { line, name };
  }

  getName(): string {
    return this.options.name;
  }

  /** Reports paths that changed on the disk, including the adapter's own changes; the returned function stops it. */
  watch(onPath: (path: string) => void): () => void {
    const source = new EventSource(targetOf('watch', {}));
    source.onmessage = (event: MessageEvent<string>) => onPath((JSON.parse(event.data) as { path: string }).path);
    return () => source.close();
  }

  protected async statRaw(path: string): Promise<Stat | null> {
    if (path === '') return { type: 'folder', ctime: 0, mtime: 0, size: 0 };
    const stat = (await this.askJson('GET', 'stat', { path })) as Stat | null;
    return stat && this.toStat(stat);
  }

  /** The server says it of each operation, which saves a question. */
  protected override requireFolder(): Promise<void> {
    return Promise.resolve();
  }

  protected listRaw(path: string): Promise<ListedEntry[]> {
    return this.askList({ path, children: 'only' });
  }

  /** A folder such as .git is left out of the list of all, and listed when it is named. */
  protected listTreeRaw(path: string): Promise<ListedEntry[]> {
    return this.askList({ path });
  }

  private async askList({ path, ...query }: Record<string, string>): Promise<ListedEntry[]> {
    const all = (await this.askJson('GET', 'list', { ...(path && { path }), ...query })) as ListedEntry[];
    return all.map((entry) => ({ path: entry.path, ...this.toStat(entry) }));
  }

  protected readRaw(path: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((resolve, reject) => {
      if (this.waitingReads.push({ path, resolve, reject }) === 1) setTimeout(() => void this.readWaiting(), 0);
    });
  }

  private async readWaiting(): Promise<void> {
    const reads = this.waitingReads;
    this.waitingReads = [];
    try {
      await (reads.length === 1 && reads[0] ? this.readOne(reads[0]) : this.readTogether(reads));
    } catch (thrown) {
      for (const { reject } of reads) reject(thrown);
    }
  }

  private async readOne({ path, resolve }: WaitingRead): Promise<void> {
    resolve((await this.ask('GET', 'file', { path })).bytes);
  }

  private async readTogether(reads: readonly WaitingRead[]): Promise<void> {
    const asked = new TextEncoder().encode(JSON.stringify(reads.map(({ path }) => path)));
    const { bytes: answer } = await this.ask('POST', 'files', {}, asked);
    const headEnd = answer.indexOf(newline);
    const headers = JSON.parse(decode(answer.subarray(0, headEnd))) as ReadHeader[];
    let start = headEnd + 1;
    for (const [index, { path, resolve, reject }] of reads.entries()) {
      const header = headers[index];
      if (header !== undefined && 'size' in header) {
        resolve(answer.slice(start, start + header.size));
        start += header.size;
      } else reject(refusalOf('GET', 'file', path, header?.status ?? 500, header?.error ?? 'no answer'));
    }
  }

  protected async writeRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    return this.toStat((await this.askJson('PUT', 'file', { path, ...toQuery(options) }, bytes)) as Stat);
  }

  protected async appendRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    return this.toStat((await this.askJson('POST', 'append', { path, ...toQuery(options) }, bytes)) as Stat);
  }

  protected async mkdirRaw(path: string): Promise<Stat> {
    return this.toStat((await this.askJson('POST', 'folder', { path })) as Stat);
  }

  protected async removeRaw(path: string, recursive: boolean): Promise<void> {
    await this.ask('DELETE', 'file', { path, recursive: String(recursive) });
  }

  protected async renameRaw(from: string, to: string): Promise<void> {
    await this.ask('POST', 'rename', { from, to });
  }

  protected async copyRaw(from: string, to: string): Promise<Stat> {
    return this.toStat((await this.askJson('POST', 'copy', { from, to })) as Stat);
  }

  protected async trashRaw(path: string, mode: 'system' | 'local'): Promise<boolean> {
    try {
      await this.ask('POST', 'trash', { path, mode });
      return true;
    } catch (error) {
      // The server may run where there is no system trash; the Vault then falls back to the local one.
      if (mode === 'system' && !(error instanceof MissingFileError)) return false;
      throw error;
    }
  }

  /** A whole address, as the app's own are: plugins parse it. */
  protected getResourcePathRaw(path: string): string {
    const address = targetOf('file', { path });
    return typeof location === 'undefined' ? address : new URL(address, location.href).href;
  }

  private toStat({ type, ctime, mtime, size }: Stat): Stat {
    return { type, ctime, mtime: this.roundTime(mtime), size: type === 'folder' ? 0 : size };
  }

  private async askJson(
    method: string,
    route: string,
    query: Record<string, string>,
    body?: Uint8Array,
  ): Promise<unknown> {
    return JSON.parse(decode((await this.ask(method, route, query, body)).bytes)) as unknown;
  }

  private async ask(
    method: string,
    route: string,
    query: Record<string, string>,
    body?: Uint8Array,
  ): Promise<ServerAnswer> {
    const answer = await this.options.line(method, targetOf(route, query), body);
    if (answer.status < 400) return answer;
    throw refusalOf(method, route, query.path ?? query.from ?? '', answer.status, decode(answer.bytes));
  }
}

function targetOf(route: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return `/api/${route}${search && `?${search}`}`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** What the file system calls it that a route does. */
const operations: Record<string, string> = { list: 'scandir', file: 'open', files: 'open', append: 'open' };

function refusalOf(method: string, route: string, path: string, status: number, reason: string): Error {
  if (status === 404) return new MissingFileError(operations[route] ?? route, path);
  return new Error(`The workbench server refused ${method} ${route}: ${status} ${reason}`);
}

const toQuery = (options: DataWriteOptions = {}): Record<string, string> => ({
  ...(options.ctime !== undefined && { ctime: String(options.ctime) }),
  ...(options.mtime !== undefined && { mtime: String(options.mtime) }),
});

/** A vault in a real folder, reached through the workbench server's routes. */
import type { DataWriteOptions, Stat } from 'obsidian';
import { EmulatedAdapter, MissingFileError, type ListedEntry } from './adapter';

export interface FolderAdapterOptions {
  /** Sent as `x-workbench` with everything that changes the folder. */
  token: string;
  name?: string;
  /** Origin of the server, without a final slash; the page's own by default. */
  baseUrl?: string;
  fetch?: typeof fetch;
}

export class FolderAdapter extends EmulatedAdapter {
  private readonly options: Required<FolderAdapterOptions>;

  constructor({ token, name = 'Workbench', baseUrl = '', fetch: send = globalThis.fetch }: FolderAdapterOptions) {
    super();
    this.options = { token, name, baseUrl, fetch: send.bind(globalThis) };
  }

  getName(): string {
    return this.options.name;
  }

  /** Tells of paths that changed on the disk, own changes included; the result stops it. */
  watch(onPath: (path: string) => void): () => void {
    const source = new EventSource(this.url('watch', {}));
    source.onmessage = (event: MessageEvent<string>) => onPath((JSON.parse(event.data) as { path: string }).path);
    return () => source.close();
  }

  protected async statRaw(path: string): Promise<Stat | null> {
    if (path === '') return { type: 'folder', ctime: 0, mtime: 0, size: 0 };
    const stat = (await (await this.ask('GET', 'stat', { path })).json()) as Stat | null;
    return stat && this.toStat(stat);
  }

  protected async listRaw(path: string): Promise<ListedEntry[]> {
    const prefix = path === '' ? '' : `${path}/`;
    const entries = await this.listTreeRaw(path);
    return entries.filter((entry) => !entry.path.slice(prefix.length).includes('/'));
  }

  protected async listTreeRaw(path: string): Promise<ListedEntry[]> {
    const all = (await (await this.ask('GET', 'list', {})).json()) as ListedEntry[];
    const prefix = path === '' ? '' : `${path}/`;
    return all
      .filter((entry) => entry.path.startsWith(prefix))
      .map((entry) => ({ path: entry.path, ...this.toStat(entry) }));
  }

  protected async readRaw(path: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await (await this.ask('GET', 'file', { path })).arrayBuffer());
  }

  protected async writeRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    return this.toStat(await (await this.ask('PUT', 'file', { path, ...toQuery(options) }, bytes)).json());
  }

  protected async appendRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    return this.toStat(await (await this.ask('POST', 'append', { path, ...toQuery(options) }, bytes)).json());
  }

  protected async mkdirRaw(path: string): Promise<Stat> {
    await this.ask('POST', 'folder', { path });
    return (await this.statRaw(path)) ?? { type: 'folder', ctime: 0, mtime: 0, size: 0 };
  }

  protected async removeRaw(path: string, recursive: boolean): Promise<void> {
    await this.ask('DELETE', 'file', { path, recursive: String(recursive) });
  }

  protected async renameRaw(from: string, to: string): Promise<void> {
    await this.ask('POST', 'rename', { from, to });
  }

  protected async copyRaw(from: string, to: string): Promise<Stat> {
    await this.ask('POST', 'copy', { from, to });
    const stat = await this.statRaw(to);
    if (!stat) throw new MissingFileError('stat', to);
    return stat;
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
    const address = this.url('file', { path });
    return typeof location === 'undefined' ? address : new URL(address, location.href).href;
  }

  private toStat({ type, ctime, mtime, size }: Stat): Stat {
    return { type, ctime, mtime: this.roundTime(mtime), size: type === 'folder' ? 0 : size };
  }

  private url(route: string, query: Record<string, string>): string {
    const search = new URLSearchParams(query).toString();
    return `${this.options.baseUrl}/api/${route}${search && `?${search}`}`;
  }

  private async ask(
    method: string,
    route: string,
    query: Record<string, string>,
    body?: Uint8Array,
  ): Promise<Response> {
    const response = await this.options.fetch(this.url(route, query), {
      method,
      // The browser lets requests for one address wait for each other, up to 20 seconds, where the answer might be kept.
      cache: 'no-store',
      headers: method === 'GET' ? {} : { 'x-workbench': this.options.token },
      ...(body && { body: body as BodyInit }),
    });
    if (response.ok) return response;
    if (response.status === 404) throw new MissingFileError(route, query.path ?? query.from ?? '');
    const reason = await response.text().catch(() => '');
    throw new Error(`The workbench server refused ${method} ${route}: ${response.status} ${reason}`);
  }
}

const toQuery = (options: DataWriteOptions = {}): Record<string, string> => ({
  ...(options.ctime !== undefined && { ctime: String(options.ctime) }),
  ...(options.mtime !== undefined && { mtime: String(options.mtime) }),
});

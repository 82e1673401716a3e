/** Overlay: the staged files of a chat by where they are on disk and where they will be. */
import { linkName } from '../markdown/links';
import type { FileChange } from './changeset';

export interface StagedFile {
  readonly change: FileChange;
  /** Milliseconds since the epoch; grows with every change of the file, so that nothing kept of it stays. */
  readonly modified: number;
  /** Whether it is on disk already and only the app's index has not been heard to know of it. */
  readonly applied: boolean;
}

export class Overlay {
  private readonly byId = new Map<string, StagedFile>();
  private readonly byPlace = new Map<string, StagedFile>();
  private readonly byOrigin = new Map<string, StagedFile>();
  private names: ReadonlySet<string> = new Set();
  private count = 0;

  /** Grows with every change. */
  get revision(): number {
    return this.count;
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  all(): readonly StagedFile[] {
    return [...this.byId.values()];
  }

  /** Those that wait for the user's review. */
  pending(): readonly StagedFile[] {
    return this.all().filter(({ applied }) => !applied);
  }

  get(id: string): StagedFile | undefined {
    return this.byId.get(id);
  }

  /** The staged file that will be at this path. */
  at(path: string): StagedFile | undefined {
    return this.byPlace.get(path);
  }

  /** The staged file that is at this path on disk. */
  from(path: string): StagedFile | undefined {
    return this.byOrigin.get(path);
  }

  /** Whether a link with this last part may lead elsewhere after the changes. */
  touches(name: string): boolean {
    return this.names.has(name);
  }

  put(file: StagedFile): void {
    this.byId.set(file.change.id, file);
    this.arrange();
  }

  drop(id: string): void {
    if (this.byId.delete(id)) this.arrange();
  }

  private arrange(): void {
    this.count += 1;
    this.byPlace.clear();
    this.byOrigin.clear();
    const names = new Set<string>();
    for (const file of this.byId.values()) {
      const { from, to } = file.change;
      if (to !== null) this.byPlace.set(to, file);
      if (from !== null) this.byOrigin.set(from, file);
      if (from === to) continue;
      if (from !== null) names.add(linkName(from));
      if (to !== null) names.add(linkName(to));
    }
    this.names = names;
  }
}

/** Foreign notes: what chats wrote while others' text was in view; theirs until the user opens and keeps it (rules 6.9). */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';
import type { DeviceStorage } from '../ports/device';
import type { Operation } from './journal-records';

const key = 'foreign-notes';

const stored = lazy(() => z.record(z.string(), z.object({ source: z.string(), operations: z.array(z.string()) })));

interface Mark {
  /** Whose text was in view, in words. */
  readonly source: string;
  /** Operations of the journal that wrote into it and were not taken back. */
  readonly operations: readonly string[];
}

/** Kept on this device beside the journal, since the journal forgets old writes and a note in the vault could free itself. */
export class ForeignNotes {
  private held: Map<string, Mark> | null = null;

  constructor(private readonly device: DeviceStorage) {}

  has(path: string): boolean {
    return this.marks.has(path);
  }

  /** To be told of each write as it ends, of undos and redos as well. */
  written(operation: Operation, find: (id: string) => Operation | undefined): void {
    const { taint, step, path, to } = operation.call;
    if (taint === null) return;
    let root = operation;
    let rootId = operation.id;
    let isUndo = false;
    for (let { undoes } = root.call; undoes !== null; undoes = root.call.undoes) {
      isUndo = !isUndo;
      rootId = undoes;
      const earlier = find(undoes);
      if (earlier === undefined) break;
      root = earlier;
    }
    if (isUndo) this.takeBack(rootId);
    else if (step !== 'delete') this.mark(step === 'move' ? (to ?? path) : path, taint, rootId);
  }

  /** @param operation what wrote it; its undo takes the mark back */
  mark(path: string, source: string, operation: string): void {
    const known = this.marks.get(path);
    const operations = [...new Set([...(known?.operations ?? []), operation])];
    this.marks.set(path, { source: known?.source ?? source, operations });
    this.save();
  }

  /** A file or a folder that moved takes its marks along. */
  moved(from: string, to: string): void {
    const moving = [...this.marks].filter(([path]) => path === from || path.startsWith(`${from}/`));
    if (moving.length === 0) return;
    for (const [path] of moving) this.marks.delete(path);
    for (const [path, mark] of moving) this.marks.set(to + path.slice(from.length), mark);
    this.save();
  }

  /** The user has it open and takes it as their own. */
  keep(path: string): void {
    if (this.marks.delete(path)) this.save();
  }

  private takeBack(operation: string): void {
    const found = [...this.marks].find(([, { operations }]) => operations.includes(operation));
    if (found === undefined) return;
    const [path, { source, operations }] = found;
    const left = operations.filter((each) => each !== operation);
    if (left.length === 0) this.marks.delete(path);
    else this.marks.set(path, { source, operations: left });
    this.save();
  }

  private get marks(): Map<string, Mark> {
    this.held ??= new Map(Object.entries(readMarks(this.device.get(key))));
    return this.held;
  }

  private save(): void {
    this.device.set(key, this.marks.size === 0 ? null : JSON.stringify(Object.fromEntries(this.marks)));
  }
}

function readMarks(text: string | null): z.infer<ReturnType<typeof stored>> {
  try {
    const read = stored().safeParse(JSON.parse(text ?? '{}'));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}

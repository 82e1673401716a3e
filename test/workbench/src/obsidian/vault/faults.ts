/** What a test may do to the operations of a MemoryAdapter. */
export type AdapterOperation =
  | 'stat'
  | 'list'
  | 'read'
  | 'write'
  | 'append'
  | 'mkdir'
  | 'remove'
  | 'rename'
  | 'copy'
  | 'trash';

/** How much of the data reaches the disk before the crash; other operations happen on 'full' and not otherwise. */
export type Tear = 'none' | 'empty' | 'half' | 'nul' | 'full';
export type Fault = 'pass' | Error | { tear: Tear };
/** `count` is 1 for the first operation after the fault was set. */
export type FaultPlan = (operation: AdapterOperation, path: string, count: number) => Fault;

export class CrashError extends Error {
  constructor() {
    super('crash');
    this.name = 'CrashError';
  }
}

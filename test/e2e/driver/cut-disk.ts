/** Cuts the power in the middle of a write: the file is left as the cut leaves it, and nothing is written any more. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OpenedWorkbench } from './workbench';

/** What of a write reaches the disk. */
export type Torn = 'none' | 'empty' | 'half' | 'nul' | 'full';

const leave: Readonly<Record<Torn, (old: Buffer, next: Buffer) => Buffer>> = {
  none: (old) => old,
  empty: () => Buffer.alloc(0),
  half: (_old, next) => next.subarray(0, Math.floor(next.length / 2)),
  nul: (_old, next) => Buffer.alloc(next.length),
  full: (_old, next) => next,
};

/** @returns resolves once the cut has come */
export function cutAt(
  { intercept, vaultFolder }: OpenedWorkbench,
  notePath: string,
  torn: Torn,
): { cut: Promise<void> } {
  let markCut: () => void = () => {};
  const cut = new Promise<void>((resolve) => (markCut = resolve));
  let isCut = false;
  intercept(async ({ method, path: asked, body }) => {
    // A terminated process gets no response, so the message stays unanswered.
    if (isCut) return 'silence';
    if (method !== 'PUT' || asked !== notePath) return null;
    isCut = true;
    const file = path.join(vaultFolder, notePath);
    await writeFile(file, leave[torn](await readFile(file), body));
    markCut();
    return 'silence';
  });
  return { cut };
}

/** Starts the app over what the cut has left. */
export function startAgain({ intercept, reload }: OpenedWorkbench): Promise<void> {
  return reload(() => intercept(null));
}

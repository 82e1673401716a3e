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
export async function cutAt(
  { page, vaultFolder }: OpenedWorkbench,
  notePath: string,
  torn: Torn,
): Promise<{ cut: Promise<void> }> {
  let markCut: () => void = () => {};
  const cut = new Promise<void>((resolve) => (markCut = resolve));
  let isCut = false;
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    // A request that is never answered is what a process that is gone has seen of it.
    if (isCut) return;
    const isThere = new URL(request.url()).searchParams.get('path') === notePath;
    if (request.method() !== 'PUT' || !isThere) return route.continue();
    isCut = true;
    const file = path.join(vaultFolder, notePath);
    const old = await readFile(file);
    await writeFile(file, leave[torn](old, request.postDataBuffer() ?? Buffer.alloc(0)));
    markCut();
  });
  return { cut };
}

/** Starts the app over what the cut has left. */
export async function startAnew({ page, url }: OpenedWorkbench): Promise<void> {
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(url);
  await page.waitForFunction(() => document.body.classList.contains('workbench-ready'));
}

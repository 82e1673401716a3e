/** The shape of one contract case and what cases share; nothing here needs more than Obsidian's public API. */
import type * as Obsidian from 'obsidian';

export interface ContractContext {
  app: Pick<Obsidian.App, 'vault' | 'metadataCache' | 'fileManager'>;
  /** A scratch folder of the case's own, which exists and is removed afterwards. */
  folder: string;
  /** The module itself, so that this folder imports nothing at run time. */
  obsidian: Pick<
    typeof Obsidian,
    | 'TFile'
    | 'TFolder'
    | 'normalizePath'
    | 'stripHeading'
    | 'stripHeadingForLink'
    | 'parseYaml'
    | 'stringifyYaml'
    | 'getFrontMatterInfo'
    | 'getAllTags'
    | 'parseLinktext'
    | 'resolveSubpath'
  >;
}

export interface ContractCase {
  name: string;
  /** The members of the emulator's `Chaos` that vary the observation; without any it holds on every seed. */
  variedBy?: string;
  /** What was seen, as plain JSON. */
  run(context: ContractContext): Promise<unknown>;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the condition holds; after five seconds the observation is made anyway. */
export async function until(condition: () => boolean | Promise<boolean>, limit = 5000): Promise<boolean> {
  for (const start = Date.now(); Date.now() - start < limit; await pause(10)) if (await condition()) return true;
  return false;
}

/** The message of a rejection, with the parts that differ by platform and place cut out, or 'done'. */
export async function outcome(work: Promise<unknown>, folder: string): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /ENOENT|EEXIST|ENOTEMPTY|EPERM/.exec(message)?.[0] ?? message.split(folder).join('');
  }
}

/** Notes vault events below the folder, with paths relative to it. */
export function recordEvents(context: ContractContext): { events: string[]; stop(): void } {
  const { app, folder } = context;
  const events: string[] = [];
  const note = (name: string, path: string, from?: string): void => {
    if (!path.startsWith(`${folder}/`) && path !== folder) return;
    const shown = [name, from, path].filter((part) => part !== undefined).join(' ');
    events.push(shown.split(`${folder}/`).join(''));
  };
  const refs = [
    app.vault.on('create', (file) => note('create', file.path)),
    app.vault.on('modify', (file) => note('modify', file.path)),
    app.vault.on('delete', (file) => note('delete', file.path)),
    app.vault.on('rename', (file, from) => note('rename', file.path, from)),
  ];
  return { events, stop: () => refs.forEach((ref) => app.vault.offref(ref)) };
}

/** Writes a note and waits until the index has it. */
export async function createIndexed(context: ContractContext, name: string, text: string): Promise<Obsidian.TFile> {
  const { app, folder } = context;
  const file = await app.vault.create(`${folder}/${name}`, text);
  await until(
    () => app.metadataCache.getFileCache(file) !== null && app.metadataCache.resolvedLinks[file.path] !== undefined,
  );
  return file;
}

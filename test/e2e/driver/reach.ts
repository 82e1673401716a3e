/**
 * Holds what a test's title claims against what the test read. `R146@request` says that the test shows row R146 on a
 * request that the model's server got, `@dom` on the page, `@disk` in a file of the vault folder, `@build` in the built
 * plugin. A test that claims without having looked there fails by name.
 */
import { readdir as readFolder, readFile as readAnyFile, stat as readStat } from 'node:fs/promises';
import path from 'node:path';
import type { RecordedRequest } from '../../support/model-server/script';
import { builtFolders, onReading } from './browser';

type Reach = 'request' | 'dom' | 'disk' | 'build';

const neglected: Record<Reach, string> = {
  request: 'read no request that the model got',
  dom: 'did not look at the page',
  disk: 'read no file of the vault folder',
  build: 'did not read the built plugin',
};

const looks = new Set<Reach>();

onReading(
  () => looks.add('dom'),
  () => expect.getState().currentTestName ?? '',
);

/** What waits in the page for an element has looked at the page. */
export const lookAtPage = (): void => void looks.add('dom');

beforeEach(() => looks.clear());

afterEach(() => {
  const [first] = findNeglected(expect.getState().currentTestName ?? '');
  if (first !== undefined) throw new Error(first);
});

/** One sentence for each kind of reach that the title claims and nothing was read of during this test. */
export function findNeglected(title: string): string[] {
  const claimed = new Set(Array.from(title.matchAll(/\bR\d{3}@(\w+)/g), ([, kind]) => kind as Reach));
  return [...claimed]
    .filter((kind) => !looks.has(kind))
    .map((kind) => `“${title}” claims @${kind}, but ${neglected[kind]}.`);
}

/** The same requests; to take one of them out of the list is to read it. */
export function watchRequests(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return new Proxy(requests, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === 'string' && /^\d+$/.test(key) && isQuestion(value)) looks.add('request');
      return value;
    },
  });
}

const isQuestion = (value: unknown): boolean => {
  const { dialect, method } = value as RecordedRequest;
  return dialect !== null && method === 'POST';
};

/** As of node:fs/promises; reading in a vault folder counts. */
export const readFile = ((file: string, ...rest: [BufferEncoding?]) => {
  lookInVault(file);
  return readAnyFile(file, ...rest);
}) as typeof readAnyFile;

export const readdir = ((folder: string, ...rest: []) => {
  lookInVault(folder);
  return readFolder(folder, ...rest);
}) as typeof readFolder;

export const stat = ((file: string) => {
  lookInVault(file);
  return readStat(file);
}) as typeof readStat;

/** The name of every folder that holds a vault begins so. */
export const vaultParentPrefix = 'docent-e2e-';

function lookInVault(file: string): void {
  if (file.split(path.sep).some((part) => part.startsWith(vaultParentPrefix))) looks.add('disk');
}

/** A file of the built plugin. */
export async function readBuilt(name: 'main.js' | 'manifest.json' | 'styles.css'): Promise<string> {
  looks.add('build');
  return readAnyFile(path.join(builtFolders().plugin, name), 'utf8');
}

/** Finds the places where Docent and the workbench depend on more of each other than package.json declares. */
import { builtinModules } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

export interface Source {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const home = 'test/workbench';
const isCode = /\.(?:[cm]?[jt]s|tsx)$/;
/** A module that the desktop app provides. */
const provided = 'electron';
const notOurs = /^test\/(?:support\/demo-vault|workbench\/dist|lab\/(?:mcp\/)?node_modules)\//;
const isInside = (path: string): boolean => path === home || path.startsWith(`${home}/`);

/** Reads all code of the repository. */
export function readRepository(): Source[] {
  const below = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  return [...below, ...readdirSync('.')]
    .filter((path) => isCode.test(path) && !notOurs.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(`${home}/package.json`, 'utf8')) as Manifest;
}

/** Returns one sentence for each place where one of the two reaches into the other. */
export function faultsBetween(sources: readonly Source[], manifest: Manifest): string[] {
  return sources.flatMap((source) =>
    isInside(source.path) ? faultsInside(source, manifest) : faultsOutside(source, manifest),
  );
}

function faultsOutside({ path, text }: Source, { name, exports }: Manifest): string[] {
  const doors = Object.keys(exports).map((door) => posix.join(name, door));
  const remedy = `take it from one of its doors, ${doors.join(', ')}`;
  const imported = importsOf(text).filter((each) =>
    each.startsWith('.') ? isInside(targetOf(path, each)) : each.split('/')[0] === name && !doors.includes(each),
  );
  const named = /\bworkbench\/(?:src|theme)\b[\w./-]*/.exec(text)?.[0];
  return [
    ...imported.map((each) => `${path} imports ${each} out of the workbench: ${remedy}.`),
    ...(imported.length === 0 && named !== undefined
      ? [`${path} names ${named}, a file of the workbench: ${remedy}.`]
      : []),
  ];
}

function faultsInside({ path, text }: Source, { name, dependencies, devDependencies }: Manifest): string[] {
  const isTest = path.startsWith(`${home}/test/`);
  const declared = [name, ...Object.keys({ ...dependencies, ...(isTest && devDependencies) })];
  const names = importsOf(text);
  const outside = names
    .filter((each) => each.startsWith('.'))
    .map((each) => targetOf(path, each))
    .filter((target) => !isInside(target));
  const undeclared = names.filter((each) => !isFree(each) && !declared.includes(packageOf(each)));
  return [
    ...outside.map((each) => `${path} imports ${each}, but the workbench knows nothing of Docent.`),
    ...undeclared.map(
      (each) => `${path} imports ${each}, which ${home}/package.json does not let it: declare it there.`,
    ),
    ...(/docent/i.test(text) ? [`${path} names Docent: what a message calls a plugin stands in its manifest.`] : []),
  ];
}

const isFree = (name: string): boolean => /^\.|^node:/.test(name) || name === provided || builtinModules.includes(name);

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const targetOf = (path: string, name: string): string => posix.join(posix.dirname(path), name);

/** Returns the modules that a file imports, requires or lets jest replace. */
function importsOf(text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const replaced = [...text.matchAll(/(?<!['"`])\b(?:jest\.\w+|require\.resolve)(?:<[^>]*>)?\(\s*['"]([^'"]+)['"]/g)];
  return [...importedFiles.map(({ fileName }) => fileName), ...replaced.map(([, name = '']) => name)];
}

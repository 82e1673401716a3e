/** Reads what is staged or changed in the vault's git repository, without changing or running anything in it. */
import type { ChangedFile, Computer, Repository, RepositoryChanges } from '../core/ports/device';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { guardNewPath } from '../core/writing/guard/path-guard';
import { words } from '../text';

export interface RepositoryOptions {
  /** Obsidian's own record of the platform. */
  readonly Platform: { readonly isDesktop: boolean };
  readonly computer: Pick<Computer, 'vaultRoot'> | null;
  /** Returns whether a path is hidden from the agent, whether or not it exists. */
  readonly isHidden: (path: string) => boolean;
  /** Returns whether the marks in a note's text hide it from the agent, even if the note is deleted. */
  readonly isHiddenText: (text: string) => boolean;
}

/** Files whose diffs are read; a larger commit is described by the names of these. */
const maxFiles = 200;
/** Bytes of git's output, and milliseconds that git may run. */
const maxBytes = 32_000_000;
const maxMilliseconds = 20_000;

/**
 * Options under which git takes no lock and starts no program named in the repository's settings; see filtersIn as
 * well.
 */
const harmless = [
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
];
const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--src-prefix=a/', '--dst-prefix=b/'];
/** Shows only the header of a deleted file, because marks that git has never seen may have hidden it. */
const brief = ['--unified=2', '--irreversible-delete'];
/** Shows both texts of each file from first line to last, so that they can be checked for marks. */
const entire = ['--no-renames', '--unified=1000000000'];

/** Returns null on mobile, and where the vault's folder is unknown. */
export function openRepository({ Platform, computer, isHidden, isHiddenText }: RepositoryOptions): Repository | null {
  const folder = computer?.vaultRoot ?? null;
  if (!Platform.isDesktop || folder === null) return null;
  const run = async (parameters: readonly string[], signal: AbortSignal): Promise<Outcome<string>> => {
    const { execFile } = await loadProcesses(Platform).catch(() => ({ execFile: null }));
    if (execFile === null) return fail(noGit());
    const options = { cwd: folder, signal, timeout: maxMilliseconds, maxBuffer: maxBytes, windowsHide: true } as const;
    return new Promise((resolve) => {
      execFile('git', [...harmless, ...parameters], options, (thrown, out, errorOutput) => {
        resolve(thrown === null ? succeed(out) : fail(failureOf(thrown, errorOutput, signal)));
      });
    });
  };
  return {
    changes: async (signal) => {
      const settings = await run(['config', '--list', '--name-only', '-z'], signal);
      if (!settings.ok) return settings;
      const filters = filtersIn(settings.value);
      const unquotable = filters.find((name) => name.includes('='));
      if (unquotable !== undefined) return fail(gitFailure(unquotable));
      const unfiltered = filters.flatMap(withoutFilter);
      const git = (parameters: readonly string[]) => run([...unfiltered, ...parameters], signal);
      for (const staged of [true, false]) {
        const kind = staged ? ['--cached'] : [];
        const listed = await git(['diff', ...kind, ...plain, '--name-status', '-z']);
        if (!listed.ok) return listed;
        const all = readNames(listed.value);
        if (all.length === 0) continue;
        const open = all.filter((file) => pathsOf(file).every((path) => mayShow(path, isHidden))).slice(0, maxFiles);
        const notes = open.flatMap(pathsOf).filter((path) => /\.md$/i.test(path));
        const whole =
          notes.length === 0 ? succeed('') : await git(['diff', ...kind, ...plain, ...entire, '--', ...notes]);
        if (!whole.ok) return whole;
        const hidesItself = hiddenFilesIn(whole.value, isHiddenText);
        const shown = open.filter((file) => !pathsOf(file).some((path) => hidesItself.has(path)));
        const diff =
          shown.length === 0
            ? succeed('')
            : await git(['diff', ...kind, ...plain, ...brief, '--', ...shown.flatMap(pathsOf)]);
        if (!diff.ok) return diff;
        const changes: RepositoryChanges = {
          ...{ staged, files: shown, leftOut: all.length - shown.length },
          // No line of a note starts like this, because each has a sign in front of it.
          diffs: diff.value === '' ? [] : diff.value.split(/^(?=diff --git )/m),
        };
        return succeed(changes);
      }
      return succeed({ staged: false, files: [], diffs: [], leftOut: 0 });
    },
  };
}

/** Returns the settings of filter programs through which git would send files on their way to the index. */
function filtersIn(settingNames: string): string[] {
  const programs = settingNames.split('\0').filter((name) => /^filter\..+\.(?:clean|process)$/s.test(name));
  return [...new Set(programs.map((name) => name.slice(0, name.lastIndexOf('.'))))];
}

/** Returns the options that switch a filter off; its name must have no equals sign, at which git would end it. */
function withoutFilter(filter: string): string[] {
  return ['clean=', 'process=', 'required=false'].flatMap((setting) => ['-c', `${filter}.${setting}`]);
}

function loadProcesses(Platform: RepositoryOptions['Platform']) {
  return Platform.isDesktop ? import('node:child_process') : Promise.reject(new Error());
}

/** Returns false for hidden paths and for every path with a dot name, and so for Obsidian's own settings. */
function mayShow(path: string, isHidden: (path: string) => boolean): boolean {
  return guardNewPath(path, '').ok && !isHidden(path);
}

/** Returns the paths of files whose old or new text hides itself from the agent. */
function hiddenFilesIn(entireDiff: string, isHiddenText: (text: string) => boolean): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const each of entireDiff.split(/^(?=diff --git )/m)) {
    const at = each.indexOf('\n@@ ');
    if (at === -1) continue;
    const [header, lines] = [
      each.slice(0, at),
      each
        .slice(at + 1)
        .split('\n')
        .slice(1),
    ];
    const side = (sign: string): string =>
      lines.flatMap((line) => (line.startsWith(sign) || line.startsWith(' ') ? [line.slice(1)] : [])).join('\n');
    if (!isHiddenText(side('-')) && !isHiddenText(side('+'))) continue;
    for (const [, path = ''] of header.matchAll(/^(?:---|\+\+\+) [ab]\/(.*?)\t?$/gm)) hidden.add(path);
  }
  return hidden;
}

function pathsOf({ path, from }: ChangedFile): string[] {
  return from === undefined ? [path] : [from, path];
}

const kinds: Readonly<Record<string, ChangedFile['how']>> = { A: 'added', D: 'deleted', R: 'moved', C: 'added' };

/** Parses a status, then one path, or two for a moved or copied file, each followed by a NUL. */
function readNames(listed: string): ChangedFile[] {
  const fields = listed.split('\0');
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const status = fields[at]?.charAt(0) ?? '';
    const how = kinds[status] ?? 'changed';
    const isPair = status === 'R' || status === 'C';
    const [first = '', second = ''] = fields.slice(at + 1);
    files.push(how === 'moved' ? { path: second, how, from: first } : { path: isPair ? second : first, how });
    at += isPair ? 3 : 2;
  }
  return files;
}

function noGit(): Failure {
  return { kind: 'not-found', words: words.commit.noGit, remedy: words.commit.noGitRemedy };
}

function failureOf(thrown: Error & { readonly code?: unknown }, errorOutput: string, signal: AbortSignal): Failure {
  const { aborted, abortedRemedy } = words.failures;
  if (signal.aborted) return { kind: 'aborted', words: aborted, remedy: abortedRemedy };
  if (thrown.code === 'ENOENT') return noGit();
  return gitFailure(/^(?:fatal|error): (.*)$/m.exec(errorOutput)?.[1] ?? messageOf(thrown).split('\n', 1)[0] ?? '');
}

function gitFailure(reason: string): Failure {
  const { gitFailed, gitFailedRemedy } = words.commit;
  return { kind: 'unreadable', words: gitFailed(reason), remedy: gitFailedRemedy };
}

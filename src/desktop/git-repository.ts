/** The vault's git repository: what is staged or changed, as git tells it. Nothing in it is changed or run. */
import type { ChangedFile, Computer, Repository, RepositoryChanges } from '../core/ports/device';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { guardNewPath } from '../core/writing/guard/path-guard';
import { words } from '../text';

export interface RepositoryOptions {
  /** The app's own record of where it runs. */
  readonly Platform: { readonly isDesktop: boolean };
  readonly computer: Pick<Computer, 'vaultRoot'> | null;
  /** Whether a path is kept from the agent, whether it is there or not. */
  readonly isHidden: (path: string) => boolean;
  /** Whether a note with this text is kept from the agent by what it says of itself, also when it is gone. */
  readonly isHiddenText: (text: string) => boolean;
}

/** Files whose differences are asked for; a commit of more is told by the names of these. */
const maxFiles = 200;
/** Bytes of what git writes, and milliseconds that it may take. */
const maxBytes = 32_000_000;
const longestRun = 20_000;

/** No lock is taken, and nothing that the repository's own settings name is started: see filtersIn as well. */
const harmless = [
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
];
const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--src-prefix=a/', '--dst-prefix=b/'];
/** Of what is gone the header alone: it may have been kept by marks that git has never seen. */
const brief = ['--unified=2', '--irreversible-delete'];
/** Both texts of each file from its first line to its last, so that their marks can be looked for. */
const entire = ['--no-renames', '--unified=1000000000'];

/** Null on a phone, and where the vault's folder is not known. */
export function openRepository({ Platform, computer, isHidden, isHiddenText }: RepositoryOptions): Repository | null {
  const folder = computer?.vaultRoot ?? null;
  if (!Platform.isDesktop || folder === null) return null;
  const run = async (parameters: readonly string[], signal: AbortSignal): Promise<Outcome<string>> => {
    const { execFile } = await loadProcesses(Platform).catch(() => ({ execFile: null }));
    if (execFile === null) return fail(noGit());
    const options = { cwd: folder, signal, timeout: longestRun, maxBuffer: maxBytes, windowsHide: true } as const;
    return new Promise((resolve) => {
      execFile('git', [...harmless, ...parameters], options, (thrown, out, told) => {
        resolve(thrown === null ? succeed(out) : fail(failureOf(thrown, told, signal)));
      });
    });
  };
  return {
    changes: async (signal) => {
      const settings = await run(['config', '--list', '--name-only', '-z'], signal);
      if (!settings.ok) return settings;
      const filters = filtersIn(settings.value);
      const stubborn = filters.find((name) => name.includes('='));
      if (stubborn !== undefined) return fail(gitFailure(stubborn));
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
        const keepsItself = hiddenFilesIn(whole.value, isHiddenText);
        const told = open.filter((file) => !pathsOf(file).some((path) => keepsItself.has(path)));
        const diff =
          told.length === 0
            ? succeed('')
            : await git(['diff', ...kind, ...plain, ...brief, '--', ...told.flatMap(pathsOf)]);
        if (!diff.ok) return diff;
        const changes: RepositoryChanges = {
          ...{ staged, files: told, leftOut: all.length - told.length },
          // No line of a note begins so: each has a sign of its own before it.
          diffs: diff.value === '' ? [] : diff.value.split(/^(?=diff --git )/m),
        };
        return succeed(changes);
      }
      return succeed({ staged: false, files: [], diffs: [], leftOut: 0 });
    },
  };
}

/** Settings of programs that git would send files through on their way to the index. */
function filtersIn(settingNames: string): string[] {
  const programs = settingNames.split('\0').filter((name) => /^filter\..+\.(?:clean|process)$/s.test(name));
  return [...new Set(programs.map((name) => name.slice(0, name.lastIndexOf('.'))))];
}

/** The name may hold no equals sign, at which git would end it. */
function withoutFilter(filter: string): string[] {
  return ['clean=', 'process=', 'required=false'].flatMap((setting) => ['-c', `${filter}.${setting}`]);
}

function loadProcesses(Platform: RepositoryOptions['Platform']) {
  return Platform.isDesktop ? import('node:child_process') : Promise.reject(new Error());
}

/** The guard lets no name with a dot before it through, and so nothing of the app's own settings. */
function mayShow(path: string, isHidden: (path: string) => boolean): boolean {
  return guardNewPath(path, '').ok && !isHidden(path);
}

/** Paths of the files of which one of both sides keeps itself from the agent. */
function hiddenFilesIn(entireDiff: string, isHiddenText: (text: string) => boolean): ReadonlySet<string> {
  const kept = new Set<string>();
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
    for (const [, path = ''] of header.matchAll(/^(?:---|\+\+\+) [ab]\/(.*?)\t?$/gm)) kept.add(path);
  }
  return kept;
}

function pathsOf({ path, from }: ChangedFile): string[] {
  return from === undefined ? [path] : [from, path];
}

const kinds: Readonly<Record<string, ChangedFile['how']>> = { A: 'added', D: 'deleted', R: 'moved', C: 'added' };

/** Status, then one path, or two where a file was moved or copied, each with a NUL behind it. */
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

function failureOf(thrown: Error & { readonly code?: unknown }, told: string, signal: AbortSignal): Failure {
  const { aborted, abortedRemedy } = words.failures;
  if (signal.aborted) return { kind: 'aborted', words: aborted, remedy: abortedRemedy };
  if (thrown.code === 'ENOENT') return noGit();
  return gitFailure(/^(?:fatal|error): (.*)$/m.exec(told)?.[1] ?? messageOf(thrown).split('\n', 1)[0] ?? '');
}

function gitFailure(reason: string): Failure {
  const { gitFailed, gitFailedRemedy } = words.commit;
  return { kind: 'unreadable', words: gitFailed(reason), remedy: gitFailedRemedy };
}

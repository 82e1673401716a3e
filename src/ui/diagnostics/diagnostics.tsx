/** What the checks found, as a list and in a modal, and the writes that a crash interrupted. */
import { type App, Notice } from 'obsidian';
import { useEffect, useState } from 'preact/hooks';
import {
  type CheckAction,
  type CheckLevel,
  type CheckPlace,
  type CheckReport,
  type CheckResult,
  type NextChoices,
  problemsIn,
  worstOf,
} from '../../core/diagnostics/check';
import { describeFailure } from '../../core/ports/failure';
import type { RecoveryChoice } from '../../core/session/entry';
import { words } from '../../text';
import { DrawnModal, Icon } from '../components/controls';
import type { InterruptedWrites, DiagnosticsPorts, OverrideStep } from '../state/ports';

/** DiagnosticsModal: all checks in a modal that stays up to date while it is open. */
export class DiagnosticsModal extends DrawnModal {
  /** @param choices read at every run of the checks; returns null when no chat is open */
  constructor(app: App, ports: DiagnosticsPorts, choices: () => NextChoices | null) {
    super(app, {
      styleClass: 'docent-diagnostics-modal',
      title: words.diagnostics.title,
      draw: (close) => <DiagnosticsList ports={ports} choices={choices} onLeave={close} />,
    });
  }
}

interface DiagnosticsListProps {
  readonly ports: DiagnosticsPorts;
  readonly choices: () => NextChoices | null;
  /** Called when a step opens something elsewhere, so that it is visible. */
  readonly onLeave: () => void;
}

const say = words.diagnostics;

const icons: Readonly<Record<CheckLevel, string>> = {
  ok: 'circle-check',
  note: 'info',
  warning: 'triangle-alert',
  error: 'circle-x',
};

/** DiagnosticsList: what each check found, in words, with the steps that fix it. */
function DiagnosticsList({ ports, choices, onLeave }: DiagnosticsListProps) {
  const [settled, setSettled] = useState(0);
  const reports = useChecks(ports, choices, 'all', String(settled));
  const run = (action: CheckAction): void =>
    void carryOut(action, ports, onLeave).then(() => setSettled((count) => count + 1));
  const problems = problemsIn(reports ?? []).length;
  return (
    <div class="docent-diagnostics">
      <div class="docent-diagnostics-head">
        <span role="status">
          {reports === null ? say.checking : problems === 0 ? say.allWell : say.problems(problems)}
        </span>
        <button type="button" onClick={() => ports.copyDiagnostics()}>
          {say.copy}
        </button>
      </div>
      {reports?.map((report) => (
        <Report key={report.id} report={report} onAction={run} />
      ))}
    </div>
  );
}

interface ReportProps {
  readonly report: CheckReport;
  readonly onAction: (action: CheckAction) => void;
}

function Report({ report: { id, label, results }, onAction }: ReportProps) {
  return (
    <section class={`docent-check is-${worstOf(results)}`} data-check={id} aria-labelledby={`docent-check-${id}`}>
      <h4 id={`docent-check-${id}`}>{label}</h4>
      <ul>
        {results.map((result, index) => (
          <Result key={index} result={result} onAction={onAction} />
        ))}
      </ul>
    </section>
  );
}

interface ResultProps {
  readonly result: CheckResult;
  readonly onAction: (action: CheckAction) => void;
}

function Result({ result: { level, words: text, path, inUse, time, actions = [] }, onAction }: ResultProps) {
  const isProblem = level === 'warning' || level === 'error';
  return (
    <li class={`docent-check-result is-${level}`}>
      <Icon icon={icons[level]} />
      <div class="docent-check-body">
        <div class="docent-check-facts">
          {time === undefined && <span class="docent-check-level">{say.levels[level]}</span>}
          {time !== undefined && <time>{new Date(time).toLocaleTimeString()}</time>}
          {path !== undefined && <span class="docent-check-path">{path}</span>}
          {isProblem && inUse === true && <span class="docent-check-use">{say.inUse}</span>}
        </div>
        <div class="docent-check-words">{text}</div>
        {actions.length > 0 && (
          <div class="docent-check-actions">
            {actions.map((action) => (
              <button type="button" key={action.id} onClick={() => onAction(action)}>
                {action.label}
              </button>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}

const overrideSteps: Readonly<Partial<Record<CheckAction['id'], OverrideStep>>> = {
  'create-system-prompt': 'create',
  'turn-off-system-prompt': 'turn-off',
  'allow-outside-file': 'allow',
};

const writeChoices: Readonly<Partial<Record<CheckAction['id'], RecoveryChoice>>> = {
  'take-back-write': 'before',
  'finish-write': 'after',
  'keep-write': 'as-is',
};

async function carryOut({ id, path = '' }: CheckAction, ports: DiagnosticsPorts, onLeave: () => void): Promise<void> {
  if (id === 'create-folder') {
    const created = await ports.createFolder(path);
    if (!created.ok) new Notice(describeFailure(created.failure));
    return;
  }
  const choice = writeChoices[id];
  if (choice !== undefined) {
    if (ports.cutOff !== undefined) await resolveInterruptedWrite(ports.cutOff, path, choice);
    return;
  }
  const step = overrideSteps[id];
  if (step !== undefined) return ports.ownPrompt.carryOut(step);
  onLeave();
  if (id === 'open-settings') ports.openSettings();
  else ports.openNote(path, false);
}

/** Milliseconds in which several changes are combined into one run. */
const settleAfter = 150;

/**
 * useChecks: what the checks find, run again when the vault, the settings, or the next request changes. Returns null
 * until the first run ends.
 * @param key changes when the choices do
 */
export function useChecks(
  ports: Pick<DiagnosticsPorts, 'check' | 'onChange'>,
  choices: () => NextChoices | null,
  scope: CheckPlace['scope'],
  key: string,
): readonly CheckReport[] | null {
  const [reports, setReports] = useState<readonly CheckReport[] | null>(null);
  useEffect(() => {
    let timer = 0;
    let running = new AbortController();
    const runChecks = async (): Promise<void> => {
      running.abort();
      const own = new AbortController();
      running = own;
      const found = await ports.check(choices(), scope, own.signal);
      if (!own.signal.aborted) setReports(found);
    };
    const schedule = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void runChecks(), settleAfter);
    };
    const release = ports.onChange(schedule);
    schedule();
    return () => {
      release();
      window.clearTimeout(timer);
      running.abort();
    };
  }, [ports, scope, key]);
  return reports;
}

const writesWords = words.diagnostics.writes;

/** The notices that remain, by file. */
const remaining = new Map<string, Notice>();

/**
 * Reports writes that a crash interrupted: a notice per file with the ways to resolve it, which remains until it is
 * answered, also where each of several views reports them.
 */
export function showInterruptedWrites(writes: InterruptedWrites): void {
  const offered = new Map(writes.interrupted().map(({ path, choices }) => [path, choices]));
  for (const [path, choices] of offered) {
    remaining.get(path)?.hide();
    const message = createFragment((fragment) => {
      fragment.createDiv({ text: writesWords.cutOff(path), attr: { dir: 'auto' } });
      const buttons = fragment.createDiv('docent-notice-buttons');
      for (const choice of choices) {
        const button = buttons.createEl('button', { text: writesWords.choices[choice] });
        button.addEventListener('click', () => void resolveInterruptedWrite(writes, path, choice));
      }
    });
    // Duration 0: the notice does not disappear before the user decides.
    remaining.set(path, new Notice(message, 0));
  }
}

/** Must be called when the plugin is unloaded: nothing would answer what is pressed. */
export function hideInterruptedWrites(): void {
  for (const notice of remaining.values()) notice.hide();
  remaining.clear();
}

/** The files whose interrupted write is being resolved, so that another press does not resolve it otherwise. */
const resolving = new Set<string>();

async function resolveInterruptedWrite(writes: InterruptedWrites, path: string, choice: RecoveryChoice): Promise<void> {
  // It may have been resolved elsewhere since the notice appeared.
  if (resolving.has(path) || !writes.interrupted().some((each) => each.path === path)) return;
  resolving.add(path);
  const settled = await writes.settleAt(path, choice).finally(() => resolving.delete(path));
  if (settled.ok) remaining.get(path)?.hide();
  new Notice(settled.ok ? writesWords.settled(path)[choice] : describeFailure(settled.failure));
}

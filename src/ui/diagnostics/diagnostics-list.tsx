/** DiagnosticsList: what each check found, in words, with the steps that mend it. */
import { Notice } from 'obsidian';
import { useState } from 'preact/hooks';
import {
  type CheckAction,
  type CheckLevel,
  type CheckReport,
  type CheckResult,
  type NextChoices,
  problemsIn,
  worstOf,
} from '../../core/diagnostics/check';
import { describeFailure } from '../../core/ports/failure';
import type { UnclearChoice } from '../../core/session/entry';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { DiagnosticsPorts, OverrideStep } from '../state/ports';
import { settleWrite } from './cut-off-notice';
import { useChecks } from './use-checks';

interface DiagnosticsListProps {
  readonly ports: DiagnosticsPorts;
  readonly choices: () => NextChoices | null;
  /** Called when a step leads elsewhere, so that what it opens can be seen. */
  readonly onLeave: () => void;
}

const say = words.diagnostics;

const icons: Readonly<Record<CheckLevel, string>> = {
  ok: 'circle-check',
  note: 'info',
  warning: 'triangle-alert',
  error: 'circle-x',
};

export function DiagnosticsList({ ports, choices, onLeave }: DiagnosticsListProps) {
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

function Result({ result: { level, words: told, path, inUse, time, actions = [] }, onAction }: ResultProps) {
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
        <div class="docent-check-words">{told}</div>
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

const writeChoices: Readonly<Partial<Record<CheckAction['id'], UnclearChoice>>> = {
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
    if (ports.cutOff !== undefined) await settleWrite(ports.cutOff, path, choice);
    return;
  }
  const step = overrideSteps[id];
  if (step !== undefined) return ports.ownPrompt.carryOut(step);
  onLeave();
  if (id === 'open-settings') ports.openSettings();
  else ports.openNote(path, false);
}

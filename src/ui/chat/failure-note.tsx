/** FailureNote: what went wrong, what to do, and the step that can be taken at once. */
import type { Failure, FailureAction } from '../../core/ports/failure';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';
import type { OverrideStep } from '../state/ports';

interface FailureNoteProps {
  readonly failure: Failure;
  readonly model: PaneModel;
  /** Whether the chat has gone on since: then there is nothing left to do about it. */
  readonly isPast?: boolean;
}

export function FailureNote({ failure, model, isPast = false }: FailureNoteProps) {
  const named = [...(failure.action === undefined ? [] : [failure.action]), ...(failure.actions ?? [])];
  const actions = isPast ? [] : named.flatMap((action) => actionOf(action, model) ?? []);
  return (
    <div class="docent-failure" role="alert">
      <Icon icon="triangle-alert" />
      <div>
        <div>{failure.words}</div>
        <div class="docent-failure-remedy">{failure.remedy}</div>
        {actions.length > 0 && (
          <div class="docent-failure-actions">
            {actions.map(({ label, run }) => (
              <button type="button" key={label} onClick={run}>
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function actionOf(
  action: FailureAction,
  model: PaneModel,
): { readonly label: string; readonly run: () => void } | undefined {
  const actions: Readonly<Partial<Record<FailureAction, { readonly label: string; readonly run: () => void }>>> = {
    retry: { label: words.pane.sendAgain, run: () => model.resend() },
    'open-settings': { label: words.pane.openSettings, run: () => model.ports.openSettings() },
    ...ownPromptSteps(model),
    'open-diagnostics': { label: words.diagnostics.show, run: () => model.ports.showDiagnostics() },
    'new-chat': { label: words.pane.newChat, run: () => void model.open(null) },
  };
  return actions[action];
}

function ownPromptSteps({ ports: { ownPrompt } }: PaneModel) {
  const labels = words.ownPrompt.actions;
  const stepOf = (action: keyof typeof labels, step: OverrideStep) => ({
    [action]: { label: labels[action], run: () => void ownPrompt.carryOut(step) },
  });
  return {
    ...stepOf('create-system-prompt', 'create'),
    ...stepOf('turn-off-system-prompt', 'turn-off'),
    ...stepOf('allow-outside-file', 'allow'),
  };
}

/** FailureNote: what went wrong, what to do, and the step that can be taken at once. */
import type { Failure, FailureAction } from '../../core/failure';
import { words } from '../../text';
import { Icon } from './icon-button';
import type { PaneModel } from './pane-model';

interface FailureNoteProps {
  readonly failure: Failure;
  readonly model: PaneModel;
  /** Whether the chat has gone on since: then there is nothing left to do about it. */
  readonly isPast?: boolean;
}

export function FailureNote({ failure, model, isPast = false }: FailureNoteProps) {
  const action = failure.action === undefined || isPast ? undefined : actionOf(failure.action, model);
  return (
    <div class="docent-failure" role="alert">
      <Icon icon="triangle-alert" />
      <div>
        <div>{failure.words}</div>
        <div class="docent-failure-remedy">{failure.remedy}</div>
        {action !== undefined && (
          <button type="button" onClick={action.run}>
            {action.label}
          </button>
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
    'new-chat': { label: words.pane.newChat, run: () => void model.open(null) },
  };
  return actions[action];
}

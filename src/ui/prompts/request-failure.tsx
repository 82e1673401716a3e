/** RequestFailure: why a request outside the chat failed, and the steps that can be taken at once. */
import type { Failure } from '../../core/ports/failure';
import { words } from '../../text';
import type { PromptsPorts } from '../state/ports';

interface RequestFailureProps {
  readonly failure: Failure;
  readonly ports: Pick<PromptsPorts, 'allowAsked' | 'openSettings'>;
  /** Sends the request again. */
  readonly onRetry: () => void;
}

export function RequestFailure({ failure, ports, onRetry }: RequestFailureProps) {
  const { action, actions = [] } = failure;
  const offersSettings = action === 'open-settings' || actions.includes('open-settings');
  const allow = (): void => {
    ports.allowAsked(failure);
    onRetry();
  };
  return (
    <div class="docent-prompts-failure" role="alert">
      {failure.words} {failure.remedy}{' '}
      {action === 'allow-sending' && (
        <button type="button" onClick={allow}>
          {words.gate.allow}
        </button>
      )}
      {offersSettings && (
        <button type="button" onClick={() => ports.openSettings()}>
          {words.chatView.openSettings}
        </button>
      )}
    </div>
  );
}

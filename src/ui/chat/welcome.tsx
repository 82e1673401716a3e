/** Welcome: what an empty chat says. */
import { words } from '../../text';
import { Icon } from './icon-button';
import type { PaneModel } from './pane-model';

export function Welcome({ model }: { readonly model: PaneModel }) {
  const usesReader = model.ports.settings().model.startsWith('reader/');
  return (
    <div class="docent-welcome">
      <Icon icon="message-circle" class="docent-welcome-icon" />
      <div class="docent-welcome-title">{words.pane.welcome}</div>
      <p>{words.pane.welcomeText}</p>
      {usesReader && (
        <p class="docent-welcome-hint">
          {words.pane.readerHint}{' '}
          <button type="button" class="docent-link-button" onClick={() => model.ports.openSettings()}>
            {words.pane.setUpModel}
          </button>
        </p>
      )}
    </div>
  );
}

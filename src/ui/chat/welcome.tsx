/** Welcome: what an empty chat says. */
import { words } from '../../text';
import { FirstRun } from '../providers/first-run';
import { usesReader } from '../settings/model-choices';
import { Icon } from './icon-button';
import type { PaneModel } from './pane-model';

export function Welcome({ model }: { readonly model: PaneModel }) {
  return (
    <div class="docent-welcome">
      <Icon icon="message-circle" class="docent-welcome-icon" />
      <div class="docent-welcome-title">{words.pane.welcome}</div>
      <p>{words.pane.welcomeText}</p>
      {usesReader(model.ports.settings()) && (
        <FirstRun models={model.ports.models} onOpenSettings={() => model.ports.openSettings()} />
      )}
    </div>
  );
}

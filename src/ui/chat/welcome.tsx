/** Welcome: what an empty chat says. */
import { words } from '../../text';
import { FirstRun } from '../providers/first-run';
import { Icon } from './icon-button';
import type { PaneModel } from './pane-model';

export function Welcome({ model }: { readonly model: PaneModel }) {
  const usesReader = model.ports.settings().model.startsWith('reader/');
  return (
    <div class="docent-welcome">
      <Icon icon="message-circle" class="docent-welcome-icon" />
      <div class="docent-welcome-title">{words.pane.welcome}</div>
      <p>{words.pane.welcomeText}</p>
      {usesReader && <FirstRun models={model.ports.models} onOpenSettings={() => model.ports.openSettings()} />}
    </div>
  );
}

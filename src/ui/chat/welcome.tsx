/** Welcome: what an empty chat says. */
import { words } from '../../text';
import { Icon } from '../components/controls';
import { FirstRun } from '../providers/first-run';
import type { PaneModel } from '../state/chat-state';
import { usesReader } from '../state/model-choices';

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

/** ServerNotice: one quiet line above the composer when a server that is on offers something else, or cannot be used. */
import type { McpServerStatus } from '../../core/ports/network';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';
import { describeState, hasChanged, stepWords, useStatuses } from './server-status';

const say = words.serverPane;

export function ServerNotice({ model: { ports } }: { readonly model: PaneModel }) {
  const telling = useStatuses(ports.servers).filter(needsLook);
  const [first] = telling;
  if (first === undefined) return null;
  const leadsToLook = telling.length === 1 && hasChanged(first);
  const open = (): void => (leadsToLook ? ports.lookAtServer(first.choice.name) : ports.openSettings());
  const detail = telling.length > 1 ? '' : leadsToLook ? stepWords.look : describeState(first);
  return (
    <button type="button" class="docent-needs-look docent-server-notice is-warning" onClick={open}>
      <Icon icon="plug" />
      <span class="docent-needs-look-words">
        <span>{summaryOf(first, telling.length)}</span>
        <span class="docent-needs-look-first">{detail}</span>
      </span>
    </button>
  );
}

function needsLook(status: McpServerStatus): boolean {
  return status.choice.isOn && (status.state === 'failed' || hasChanged(status));
}

function summaryOf(first: McpServerStatus, count: number): string {
  if (count > 1) return say.notice.several(count);
  return say.notice[hasChanged(first) ? 'changed' : 'failed'](first.choice.name);
}

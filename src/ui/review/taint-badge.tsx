/** TaintBadge: says above the composer whose text, other than the user's, the chat holds, and what follows from it. */
import { useState } from 'preact/hooks';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';

const say = words.keeping;

interface TaintBadgeProps {
  readonly model: PaneModel;
  readonly onStartClean: () => void;
}

export function TaintBadge({ model, onStartClean }: TaintBadgeProps) {
  const [open, setOpen] = useState(false);
  const source = model.state.value?.taint ?? null;
  if (source === null) return null;
  return (
    <div class="docent-taint">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon icon="shield-alert" />
        <span class="docent-taint-source" dir="auto">
          {say.tainted(source)}
        </span>
      </button>
      {open && <p>{say.taintedDesc(source)}</p>}
      {open && (
        <button type="button" class="docent-taint-clean" onClick={onStartClean}>
          {say.startClean}
        </button>
      )}
    </div>
  );
}

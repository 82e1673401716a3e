/** Chip: one attached thing, which can be opened and, in the composer, removed. */
import type { Mention } from '../../core/mentions/mention';
import { words } from '../../text';
import { mentionIcons } from '../suggest/mention-icons';
import { Icon, IconButton } from './icon-button';

interface ChipProps {
  readonly mention: Mention;
  /** Whether what it names has gone. */
  readonly isMissing?: boolean;
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove?: () => void;
}

export function Chip({ mention, isMissing = false, onOpen, onRemove }: ChipProps) {
  const gone = isMissing ? words.pane.attachmentMissing(mention.label) : undefined;
  return (
    <span class={`docent-chip ${isMissing ? 'is-missing' : ''}`} title={gone ?? mention.id}>
      <Icon icon={isMissing ? 'file-x' : mentionIcons[mention.kind]} />
      <button
        type="button"
        class="docent-chip-name"
        aria-label={gone}
        onClick={onOpen}
        disabled={onOpen === undefined || isMissing}
      >
        {mention.label}
      </button>
      {onRemove !== undefined && (
        <IconButton
          icon="x"
          label={words.pane.removeAttachment(mention.label)}
          onClick={onRemove}
          class="docent-chip-remove"
        />
      )}
    </span>
  );
}

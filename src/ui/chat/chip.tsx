/** Chip: one attached thing, which can be opened and, in the composer, removed. */
import type { Mention } from '../../core/mentions/mention';
import { words } from '../../text';
import { Icon, IconButton } from './icon-button';

interface ChipProps {
  readonly mention: Mention;
  readonly onOpen?: () => void;
  readonly onRemove?: () => void;
}

const icons: Readonly<Record<Mention['kind'], string>> = {
  note: 'file-text',
  prompt: 'at-sign',
  workspace: 'hash',
  tool: 'wrench',
};

export function Chip({ mention, onOpen, onRemove }: ChipProps) {
  return (
    <span class="docent-chip" title={mention.id}>
      <Icon icon={icons[mention.kind]} />
      <button type="button" class="docent-chip-name" onClick={onOpen} disabled={onOpen === undefined}>
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

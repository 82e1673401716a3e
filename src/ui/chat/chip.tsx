/** Chip: one attached thing, which can be opened and, in the composer, removed. */
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import { Icon, IconButton } from '../components/controls';
import { mentionIcons } from '../suggest/mention-icons';

interface ChipProps {
  readonly mention: Mention;
  /** Whether what it names has gone. */
  readonly isMissing?: boolean;
  /** What it costs, or what will become of it. */
  readonly size?: string;
  /** Why it will not be sent as it is; empty for all that will. */
  readonly warning?: string;
  /** The app's own address of a small picture of it. */
  readonly picture?: string | null;
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove?: () => void;
}

export function Chip(props: ChipProps) {
  const { mention, isMissing = false, size = '', warning = '', picture = null, onOpen, onRemove } = props;
  const gone = isMissing ? words.pane.attachmentMissing(mention.label) : undefined;
  const told = gone ?? (warning === '' ? undefined : warning);
  const look = `${isMissing ? 'is-missing' : ''} ${warning === '' ? '' : 'is-warned'} ${picture === null ? '' : 'has-picture'}`;
  return (
    <span class={`docent-chip ${look}`} title={told ?? (mention.image === undefined ? mention.id : mention.label)}>
      {picture === null || isMissing ? (
        <Icon icon={isMissing ? 'file-x' : warning === '' ? mentionIcons[mention.kind] : 'triangle-alert'} />
      ) : (
        <img class="docent-chip-picture" src={picture} alt={''} loading="lazy" />
      )}
      <span class="docent-chip-words">
        <button
          type="button"
          class="docent-chip-name"
          aria-label={told}
          onClick={onOpen}
          disabled={onOpen === undefined || isMissing}
        >
          {mention.label}
        </button>
        {size !== '' && !isMissing && <span class="docent-chip-size">{size}</span>}
      </span>
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

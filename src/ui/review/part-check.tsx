/** PartCheck: the tick that says whether a change, or a part of one, will be applied. */
import { words } from '../../text';

interface PartCheckProps {
  readonly label: string;
  /** Null for some of its parts. */
  readonly isAccepted: boolean | null;
  readonly isReachable: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (accept: boolean) => void;
}

export function PartCheck({ label, isAccepted, isReachable, isDisabled, onChange }: PartCheckProps) {
  return (
    <label class="docent-review-check">
      <input
        type="checkbox"
        aria-label={words.review.acceptOf(label)}
        tabIndex={isReachable ? 0 : -1}
        disabled={isDisabled}
        checked={isAccepted === true}
        ref={(element) => {
          if (element !== null) element.indeterminate = isAccepted === null;
        }}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

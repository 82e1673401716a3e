/** TextForm: one line of text to write or change, kept with Enter and left with Escape. */
import { useRef } from 'preact/hooks';
import { words } from '../../text';

interface TextFormProps {
  readonly label: string;
  readonly value?: string;
  /** Whether it takes the focus when it appears. */
  readonly focused?: boolean;
  readonly onSave: (text: string) => void;
  /** Without it there is nothing to leave, and the box is emptied for the next text. */
  readonly onCancel?: () => void;
}

export function TextForm({ label, value = '', focused = false, onSave, onCancel }: TextFormProps) {
  const box = useRef<HTMLInputElement>(null);
  const save = (event: Event): void => {
    event.preventDefault();
    const text = box.current?.value.trim() ?? '';
    if (text === '') return;
    onSave(text);
    if (onCancel === undefined && box.current !== null) box.current.value = '';
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || onCancel === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <form class="docent-goal-form" onSubmit={save}>
      <input
        type="text"
        ref={(element) => {
          if (focused && element !== null && box.current === null) element.focus();
          box.current = element;
        }}
        defaultValue={value}
        placeholder={label}
        aria-label={label}
        onKeyDown={leave}
      />
      <button type="submit">{onCancel === undefined ? words.goals.addItem : words.goals.save}</button>
      {onCancel !== undefined && (
        <button type="button" onClick={onCancel}>
          {words.goals.cancel}
        </button>
      )}
    </form>
  );
}

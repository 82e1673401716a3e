/** IconButton: a button that shows one of the app's icons and says its name to screen readers. */
import { setIcon } from 'obsidian';

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly class?: string;
  readonly disabled?: boolean;
}

export function IconButton({ icon, label, onClick, class: name = '', disabled = false }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`clickable-icon docent-icon-button ${name}`}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      ref={drawIcon(icon)}
    />
  );
}

interface IconProps {
  readonly icon: string;
  readonly class?: string;
}

export function Icon({ icon, class: name = '' }: IconProps) {
  return <span class={`docent-icon ${name}`} aria-hidden="true" ref={drawIcon(icon)} />;
}

const drawings = new Map<string, (element: HTMLElement | null) => void>();

/** The same function for the same icon, so that an icon is drawn once and not at every render. */
function drawIcon(icon: string): (element: HTMLElement | null) => void {
  const known = drawings.get(icon);
  if (known !== undefined) return known;
  const draw = (element: HTMLElement | null): void => {
    if (element !== null) setIcon(element, icon);
  };
  drawings.set(icon, draw);
  return draw;
}

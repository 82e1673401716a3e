/** Two small things that rows and lists of settings share. */
import { pressByKey } from '../controls/button-components';

/** A fragment can be shown once only, so each drawing takes a copy. */
export function cloneText(text: string | DocumentFragment): string | DocumentFragment {
  return typeof text === 'string' ? text : (text.cloneNode(true) as DocumentFragment);
}

/** A row that acts as a button: click, Enter and Space, but not from a control inside it. */
export function makePressable(el: HTMLElement, press: () => void): void {
  el.tabIndex = 0;
  el.setAttribute('role', 'button');
  el.addEventListener('click', (event) => {
    const inner = (event.target as Element).closest('button, input, select, textarea, a, .clickable-icon');
    if (!inner || inner === el || !el.contains(inner)) press();
  });
  pressByKey(el, press);
}

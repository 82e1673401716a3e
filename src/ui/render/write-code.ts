/** Writes a code block: its language, a button that copies it, and its text. Code is never run. */
import { words } from '../../text';
import { appendCharacters, appendElement } from './allow-list';
import type { Drawing } from './drawing';

const NOTE_SHOWN_MS = 1_500;

export function writeCode(parent: HTMLElement, code: string, info: string, { context, afterwards }: Drawing): void {
  const language = languageOf(info);
  const box = appendElement(parent, 'div', { class: 'docent-code', dir: 'ltr' });
  const header = appendElement(box, 'div', { class: 'docent-code-header' });
  appendCharacters(appendElement(header, 'span', { class: 'docent-code-language' }), language);
  writeCopyButton(header, code);
  const element = appendElement(
    appendElement(box, 'pre'),
    'code',
    language === '' ? {} : { class: `language-${language}` },
  );
  appendCharacters(element, code);
  if (language !== '') afterwards.push(() => context.highlight?.(code, language, element));
}

/** The first word of the info string, when it reads like a language name. */
function languageOf(info: string): string {
  return /^\{?\.?([A-Za-z0-9_+#.-]{1,32})(?=[\s}:,]|$)/.exec(info)?.[1]?.toLowerCase() ?? '';
}

function writeCopyButton(parent: HTMLElement, code: string): void {
  const button = appendElement(parent, 'button', {
    class: 'docent-copy-code clickable-icon',
    type: 'button',
    'aria-label': words.render.copyCode,
  });
  appendCharacters(button, words.render.copy);
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    void copyText(button, code);
  });
}

async function copyText(button: HTMLElement, text: string): Promise<void> {
  const view = button.ownerDocument.defaultView;
  try {
    if (!view) throw new Error('The button is in no window.');
    await view.navigator.clipboard.writeText(text);
    button.textContent = words.render.copied;
  } catch {
    // The clipboard belongs to the system, which may refuse; the text stays selectable.
    button.textContent = words.render.copyFailed;
  }
  view?.setTimeout(() => (button.textContent = words.render.copy), NOTE_SHOWN_MS);
}

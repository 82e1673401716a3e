/** Writes code: its language, a copy button, its text, and the diagram that it describes. Code is never run. */
import { words } from '../../text';
import { buildDiagram, cleanDiagram } from './diagrams';
import { appendCharacters, appendElement, type Drawing } from './drawing';
import { colorCode, whenSeen, writeSourceNote } from './late-drawing';

const NOTE_SHOWN_MS = 1_500;

/** Characters of a code that are shown; all of it can be copied. */
const SHOWN_CODE_LIMIT = 60_000;

/** Writes a code block with the info string of its fence. */
export function writeCode(parent: HTMLElement, code: string, info: string, drawing: Drawing): void {
  const language = languageOf(info);
  const { box, header, element } = writeCodeBox(parent, code, language);
  if (code.length > SHOWN_CODE_LIMIT) return;
  if (language === 'mermaid') drawDiagramLate(box, header, code, drawing);
  else colorCode(element, code, language, drawing);
}

/** Writes a text that is too large to be drawn as what it is, with a sentence that says so. */
export function writeSource(parent: HTMLElement, source: string, sentence: string): void {
  const { box } = writeCodeBox(parent, source, '');
  writeSourceNote(box, sentence);
}

interface CodeBox {
  readonly box: HTMLElement;
  readonly header: HTMLElement;
  readonly element: HTMLElement;
}

function writeCodeBox(parent: HTMLElement, code: string, language: string): CodeBox {
  const box = appendElement(parent, 'div', { class: 'docent-code', dir: 'ltr' });
  const header = appendElement(box, 'div', { class: 'docent-code-header' });
  appendCharacters(appendElement(header, 'span', { class: 'docent-code-language' }), language);
  writeCopyButton(header, code);
  // A box that scrolls can be reached and scrolled by keys. A label would be a tooltip over all of the code.
  const scroller = appendElement(box, 'pre', { tabindex: '0' });
  const element = appendElement(scroller, 'code', language === '' ? {} : { class: `language-${language}` });
  const isCut = code.length > SHOWN_CODE_LIMIT;
  appendCharacters(element, isCut ? wholeLines(code.slice(0, SHOWN_CODE_LIMIT)) : code);
  if (isCut) writeSourceNote(box, words.render.codeTooLong);
  return { box, header, element };
}

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > 0 ? text.slice(0, end) : text;
}

/** Returns the first word of the info string if it reads like a language name. */
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
    // The system may deny access to the clipboard; the text remains selectable.
    button.textContent = words.render.copyFailed;
  }
  view?.setTimeout(() => (button.textContent = words.render.copy), NOTE_SHOWN_MS);
}

/** Puts the diagram in place of its source once that is in view; a button shows the source again. */
function drawDiagramLate(box: HTMLElement, header: HTMLElement, code: string, { context, afterwards }: Drawing): void {
  const { libraries } = context;
  if (libraries === undefined) return;
  const cleaned = cleanDiagram(code);
  if ('problem' in cleaned) return writeSourceNote(box, cleaned.problem);
  afterwards.push(() =>
    whenSeen(box, async () => {
      const isDark = box.ownerDocument.body.classList.contains('theme-dark');
      const svgText = await libraries.diagram(cleaned.text, isDark);
      const svg = svgText === null ? null : buildDiagram(svgText, box);
      if (svg === null) return writeSourceNote(box, words.render.diagramFailed);
      const label = svg.getAttribute('aria-label') ?? '';
      const holder = appendElement(box, 'div', {
        class: `docent-diagram ${isDark ? 'is-dark' : 'is-light'}`,
        tabindex: '0',
        role: 'group',
        'aria-label': label,
      });
      holder.append(svg);
      writeSourceSwitch(header, box);
    }),
  );
}

function writeSourceSwitch(header: HTMLElement, box: HTMLElement): void {
  const button = appendElement(header, 'button', { class: 'docent-copy-code clickable-icon', type: 'button' });
  const show = (isDrawn: boolean): void => {
    box.classList.toggle('is-drawn', isDrawn);
    button.textContent = isDrawn ? words.render.showSource : words.render.showDiagram;
  };
  show(true);
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    show(!box.classList.contains('is-drawn'));
  });
  header.insertBefore(button, header.lastElementChild === button ? button.previousElementSibling : null);
}

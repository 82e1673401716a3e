/** The script of the page: draws vectors with the renderer, or with none, and reports what is in the page. */
import { installDom } from 'obsidian-workbench/jest';
import { ALLOWED_ATTRIBUTES, ALLOWED_ELEMENTS, type RenderContext } from '../../../../src/ui/render/drawing';
import { createStreamingRenderer, renderMarkdown } from '../../../../src/ui/render/streaming-renderer';

installDom(window);

export interface RenderPage {
  /** Addresses that the renderer handed over to be opened. */
  opened: string[];
  asked: number;
  answer: boolean;
  draw(texts: readonly string[], way: 'whole' | 'stream' | 'other-document'): void;
  /** Takes each text as HTML, in a frame of its own. */
  drawRaw(texts: readonly string[]): void;
  /** Elements and attributes that are not on the allow-list. */
  trespasses(): string[];
  drawTimed(text: string): number;
}

const page: RenderPage = {
  opened: [],
  asked: 0,
  answer: false,
  draw(texts, way) {
    const home = way === 'other-document' ? newFrameBody() : document.body;
    for (const text of texts) {
      const target = home.createDiv({ cls: 'drawn' });
      if (way === 'stream') drawInPieces(target, text);
      else renderMarkdown(target, text, context);
      if (target.querySelector('*')?.ownerDocument !== home.ownerDocument) throw new Error('Drawn in another document');
    }
  },
  drawRaw(texts) {
    for (const text of texts) newFrameBody().innerHTML = text;
  },
  trespasses() {
    const names: ReadonlySet<string> = new Set([...ALLOWED_ELEMENTS, ...ALLOWED_ATTRIBUTES]);
    const drawn = Array.from(document.querySelectorAll('.drawn *'));
    return drawn
      .flatMap((element) => [element.localName, ...element.getAttributeNames()])
      .filter((name) => !names.has(name));
  },
  drawTimed(text) {
    const target = document.body.createDiv();
    const start = performance.now();
    renderMarkdown(target, text, context);
    const time = performance.now() - start;
    target.remove();
    return time;
  },
};

const context: RenderContext = {
  resolveLink: (linkText) => (linkText === 'photo.png' ? 'photo.png' : null),
  openNote: () => undefined,
  openExternal: (url) => void page.opened.push(url),
  confirmLink: () => {
    page.asked++;
    return Promise.resolve(page.answer);
  },
};

function drawInPieces(target: HTMLElement, text: string): void {
  const renderer = createStreamingRenderer(target, context);
  for (let start = 0; start < text.length; start += 3) renderer.append(text.slice(start, start + 3));
  renderer.finish();
}

function newFrameBody(): HTMLElement {
  const frame = document.body.appendChild(document.createElement('iframe'));
  if (!frame.contentWindow || !frame.contentDocument) throw new Error('The frame has no document');
  installDom(frame.contentWindow);
  return frame.contentDocument.body;
}

Object.assign(window, { renderPage: page });

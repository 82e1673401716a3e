/**
 * Drawing that waits: until its block is finished, until it comes into view, and for its turn, so that no answer holds up
 * the window however many formulas it has.
 */
import { yieldToEventLoop } from '../../core/base/async';
import { startOf } from '../../core/base/cut';
import { activeCommand } from '../../core/writing/guard/active-markdown';
import { words } from '../../text';
import { appendCharacters, appendElement, type Drawing } from './drawing';
import type { MathToken } from './tokenize';

/** Milliseconds of drawing after which everything else gets its turn. */
const sliceLimit = 8;

type Act = () => Promise<void> | void;

const waiting = new WeakMap<Element, Act>();
const observers = new WeakMap<Window, IntersectionObserver>();
const queue: Act[] = [];
let isDrawing = false;

/** Runs an act once, when its element is in view or almost; at once where nothing is ever in view. */
export function whenSeen(element: HTMLElement, act: Act): void {
  const view = element.ownerDocument.defaultView;
  if (view?.IntersectionObserver === undefined) return inTurn(act);
  waiting.set(element, act);
  let observer = observers.get(view);
  if (observer === undefined) {
    const margin = '400px';
    // The margin of scrolling boxes is younger than the types.
    const options: IntersectionObserverInit & { scrollMargin?: string } = { rootMargin: margin, scrollMargin: margin };
    observer = new view.IntersectionObserver((entries, own) => {
      for (const { isIntersecting, target } of entries) {
        const wanted = waiting.get(target);
        if (!isIntersecting || wanted === undefined) continue;
        own.unobserve(target);
        waiting.delete(target);
        inTurn(wanted);
      }
    }, options);
    observers.set(view, observer);
  }
  observer.observe(element);
}

function inTurn(act: Act): void {
  queue.push(act);
  if (!isDrawing) void drawInSlices();
}

async function drawInSlices(): Promise<void> {
  isDrawing = true;
  try {
    let start = performance.now();
    for (let act = queue.shift(); act !== undefined; act = queue.shift()) {
      await attempt(act);
      if (performance.now() - start < sliceLimit) continue;
      await yieldToEventLoop();
      start = performance.now();
    }
  } finally {
    isDrawing = false;
  }
}

/** What cannot be drawn stays as its source, and must not hold up what waits behind it. */
async function attempt(act: Act): Promise<void> {
  try {
    await act();
  } catch {
    // The source is there already.
  }
}

/** Characters of a formula, and of code that gets colors. Beyond them, the libraries take too long. */
const maxMath = 2_000;
const maxColored = 20_000;
/** Characters in one line of code that gets colors. */
const maxColoredLine = 1_000;

/** Commands that name or number something for later formulas, or point to it; besides those that count as active. */
const lastingCommand =
  /\\(?:ref|eqref|label|tagform|global|begingroup|futurelet|xdef|catcode|chardef|providecommand|declare[a-z]*|define[a-z]*|new[a-z]+|renew[a-z]+|use[a-z]*form|mathtoolsset|setcounter|verb)(?![a-z])/i;

/** Writes the source of a formula, and replaces it with the formula once that is in view. */
export function writeMath(parent: HTMLElement, { raw, source, display }: MathToken, drawing: Drawing): void {
  const holder = appendElement(parent, 'span', { class: `docent-math${display ? ' is-display' : ''}` });
  const { libraries } = drawing.context;
  const isLong = source.length > maxMath;
  const code = appendElement(holder, 'code');
  appendCharacters(code, isLong ? startOf(source, maxShownMath) : source);
  if (isLong) return writeSourceNote(holder, words.render.mathTooLong);
  const isActive = activeCommand.test(source) || lastingCommand.test(source) || source.includes('^^');
  if (libraries === undefined) return;
  if (isActive) return explain(holder, words.render.mathActive, display);
  drawing.afterwards.push(() =>
    whenSeen(holder, async () => {
      const drawn = await libraries.math(source, display);
      if (drawn === null) return explain(holder, words.render.mathFailed, display);
      holder.setAttrs({ role: 'img', 'aria-label': source });
      holder.replaceChildren(drawn);
      drawnSources.set(holder, raw.trim());
    }),
  );
}

/** What drawn formulas were written as, with their dollar signs. */
const drawnSources = new WeakMap<Element, string>();

/**
 * Puts the source of each drawn formula that is selected into the selection while it is copied, since a drawn formula has
 * no text. Called at the `copy` event: the browser reads the selection after it, and before it draws again.
 */
export function copyFormulaSources(element: HTMLElement): void {
  const selection = element.doc.getSelection();
  if (selection === null || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  const added: HTMLElement[] = [];
  for (const holder of Array.from(element.querySelectorAll<HTMLElement>('.docent-math'))) {
    const source = drawnSources.get(holder);
    const drawn = holder.firstChild;
    if (source === undefined || drawn === null || !range.intersectsNode(drawn)) continue;
    const text = appendElement(holder, 'span', { class: 'docent-math-source' });
    appendCharacters(text, source);
    // What is outside of the selection is not copied, and its start may be inside of the formula.
    if (holder.contains(range.startContainer)) range.cloneRange().insertNode(text);
    else holder.prepend(text);
    added.push(text);
  }
  if (added.length > 0) element.win.requestAnimationFrame(() => added.forEach((text) => text.remove()));
}

/** Characters that are shown of a formula that is too long. */
const maxShownMath = 20_000;

/** A formula in a line of text has no room for a sentence. */
function explain(holder: HTMLElement, sentence: string, display: boolean): void {
  if (display) writeSourceNote(holder, sentence);
  else holder.setAttribute('title', sentence);
}

/** Says why something is shown as its source. */
export function writeSourceNote(parent: HTMLElement, sentence: string): void {
  appendCharacters(appendElement(parent, 'span', { class: 'docent-source-note' }), sentence);
}

/** Gives the text of a code element its colors, once it is in view. */
export function colorCode(
  element: HTMLElement,
  code: string,
  language: string,
  { context, afterwards }: Drawing,
): void {
  const { libraries } = context;
  if (libraries === undefined || language === '' || code.length > maxColored) return;
  if (code.split('\n').some((line) => line.length > maxColoredLine)) return;
  afterwards.push(() =>
    whenSeen(element, async () => {
      const parts = await libraries.colors(code, language);
      if (parts === null) return;
      element.empty();
      for (const { text, names } of parts) {
        if (names.length === 0) appendCharacters(element, text);
        else appendCharacters(appendElement(element, 'span', { class: `token ${names.join(' ')}` }), text);
      }
    }),
  );
}

/** What is judged of a sight: by axe, by its boxes, and by what shows where the focus is. */
import type { Page } from 'playwright-core';
import { readFile } from './reach';

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

declare global {
  var axe: { run(context: object, options: object): Promise<AxeResults> };
  /** What judges and turns a page; one call of a page judges a sight in several looks, without drawing it in between. */
  var judges: typeof pageJudges;
}

/**
 * Rules that axe applies to what is not the plugin's, or does not see as a browser does.
 * - `scrollable-region-focusable` of the list of suggestions: the arrow keys scroll it while the focus stays in the box,
 *   which axe knows of a combobox alone; a text area must not be one.
 */
const outsideOfRules: Readonly<Record<string, string>> = { 'scrollable-region-focusable': '#docent-suggestions' };

/**
 * Rules of axe that read colors. A theme that moves and hides nothing changes the result of no other rule.
 */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Points that a finger needs. */
const target = 44;

/**
 * Puts axe and what else judges into the page, once for each load. After each rule, axe waits for a timer of no time, of
 * which a page has many and draws in between: it goes right on instead.
 */
export async function installJudges(page: Page): Promise<void> {
  const axeSource = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  const timer = '(act, time) => (time === 0 ? void queueMicrotask(act) : window.setTimeout(act, time))';
  await page.evaluate(`((setTimeout) => {\n${readFeaturesLate(axeSource)}\n})(${timer});`);
  const parts = Object.entries(pageJudges).map(([name, part]) => `${name}: ${String(part)}`);
  await page.evaluate(`globalThis.judges = { ${parts.join()} };`);
}

/** Has axe read the features of all elements, of which it makes selectors, only once a selector is wanted. */
function readFeaturesLate(axeSource: string): string {
  const name = 'axe,"_selectorData"';
  const keep = `set(value){Object.defineProperty(${name},{value,writable:!0,configurable:!0})}`;
  const late = axeSource.replace(
    /(axe\._selectorData)=(\w+\(\w+\.flatTree\))(?=\}catch)/,
    `Object.defineProperty(${name},{configurable:!0,get(){return $1=$2},${keep}})`,
  );
  if (late === axeSource) throw new Error('axe reads the features of elements in another way now.');
  return late;
}

export type Judgement = Readonly<Record<string, readonly string[]>>;

/**
 * Judges a sight as it is, in the other theme, with text of twice the size, and, on a desktop, from right to left. It
 * goes from each look right to the next: to style and draw a whole page costs more than to judge most looks. The page
 * keeps the other theme, so that the next sight is judged by all rules in that one, and on a phone the large text.
 */
export function judge(page: Page, roots: string, isPhone: boolean): Promise<Judgement> {
  return page.evaluate(
    async ({ wanted, isOnPhone, least, outside, rules }): Promise<Judgement> => {
      const { findViolations, findMisfits, findMisaligned, findMotion, findMoved, findTooltips } = judges;
      const { turn, untilDrawn } = judges;
      const asItIs = {
        axe: await findViolations(wanted, outside),
        boxes: findMisfits(wanted, isOnPhone ? least : 0),
        motion: findMotion(wanted),
        tooltips: findTooltips(wanted),
      };
      const changeTheme = () => ['theme-dark', 'theme-light'].forEach((name) => document.body.classList.toggle(name));
      const moved = findMoved(wanted, changeTheme);
      const inOtherTheme = [...moved, ...(await findViolations(wanted, outside, rules))];
      turn('large', true);
      await untilDrawn();
      const large = findMisfits(wanted, 0);
      const seen = { ...asItIs, 'axe, other theme': inOtherTheme, 'large text': large };
      if (isOnPhone) return seen;
      turn('large', false);
      turn('from right to left', true);
      const turned = [...findMisfits(wanted, 0), ...findMisaligned(wanted)];
      turn('from right to left', false);
      return { ...seen, 'from right to left': turned };
    },
    { wanted: roots, isOnPhone: isPhone, least: target, outside: outsideOfRules, rules: colorRules },
  );
}

/** Judges a sight on a phone that is as narrow as its page, on which `judge` left the large text. */
export function judgeNarrow(page: Page, roots: string): Promise<Judgement> {
  return page.evaluate(
    async ([wanted, least]) => {
      const { findMisfits, turn, untilDrawn } = judges;
      const look = async (): Promise<string[]> => {
        await untilDrawn();
        return findMisfits(wanted, least);
      };
      const large = await look();
      turn('large', false);
      turn('from right to left', true);
      const turned = await look();
      turn('from right to left', false);
      return { 'narrow, large text': large, 'narrow, from right to left': turned };
    },
    [roots, target] as const,
  );
}

/** Judges the boxes of a sight once it is drawn in the size that the page has now. */
export function judgeBoxes(page: Page, roots: string): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    await judges.untilDrawn();
    return judges.findMisfits(wanted, 0);
  }, roots);
}

/**
 * Returns what axe finds in the elements below these roots, by all its rules for WCAG A and AA and its best practices.
 * Rules about a whole page, such as its title and landmarks, do not apply: the page is the app's.
 * @param rules the rules to go by; all of them unless given
 */
async function findViolations(
  include: string,
  outside: Readonly<Record<string, string>>,
  rules?: readonly string[],
): Promise<string[]> {
  // Style sheets would be loaded for a rule that is off.
  const preload = { assets: ['media'] };
  const options = { resultTypes: ['violations'], selectors: false, preload, ...(rules && { runOnly: rules }) };
  const showAll = judges.hideRest(include);
  const { violations } = await axe.run({ include: [[include]] }, options).finally(showAll);
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !html.includes(`id="${outside[id]?.slice(1)}"`))
      .map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
  );
}

/**
 * Hides from scripts, until the function that it returns is called, what is in the elements next to those that contain
 * these roots: axe reads a whole page each time, and three quarters of it are the app's. What such an element covers, and
 * the order of headings, are judged as before.
 */
function hideRest(roots: string): () => void {
  const judged = [...document.querySelectorAll(roots)];
  const hidden: Element[] = [];
  const look = (element: Element): void => {
    // Nothing is hidden from an editor that may draw in between.
    if (judged.some((root) => root.contains(element)) || element.matches('.cm-editor')) return;
    if (judged.some((root) => element.contains(root))) [...element.children].forEach(look);
    else if (element.querySelector('h1, h2, h3, h4, h5, h6, [role=heading]') === null) hidden.push(element);
  };
  look(document.body);
  const { createTreeWalker } = document;
  for (const element of hidden) Object.defineProperty(element, 'childNodes', { value: [], configurable: true });
  document.createTreeWalker = (root, show) =>
    createTreeWalker.call(document, root, show, ({ parentElement }: Node) =>
      parentElement !== null && Object.hasOwn(parentElement, 'childNodes')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
  return () => {
    for (const element of hidden) Reflect.deleteProperty(element, 'childNodes');
    Reflect.deleteProperty(document, 'createTreeWalker');
  };
}

/**
 * Returns the elements below these roots whose label the app would show as a tooltip wherever the pointer is in them,
 * though they are no controls.
 */
function findTooltips(wanted: string): string[] {
  const named = [...document.querySelectorAll(wanted)].flatMap((root) => [...root.querySelectorAll('[aria-label]')]);
  const controls = 'button, a, input, select, summary, svg, [hidden], [role=button], [role=option], [role=img]';
  const short = '.docent-review-figures, .docent-versions > span, .clickable-icon, .setting-item *';
  return named
    .filter((element) => !element.matches(`${controls}, ${short}`))
    .map((element) => element.outerHTML.slice(0, 120));
}

/** Returns the elements below these roots that a change hides, shows, moves, or gives another size. */
function findMoved(wanted: string, change: () => void): string[] {
  const elements = [...document.querySelectorAll(wanted)].flatMap((root) => [root, ...root.querySelectorAll('*')]);
  const placeOf = (element: Element): string => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height, element.checkVisibility({ visibilityProperty: true })].join();
  };
  const before = elements.map(placeOf);
  change();
  return elements
    .filter((element, index) => placeOf(element) !== before[index])
    .map((element) => `moved: ${element.outerHTML.slice(0, 120)}`);
}

/** Turns the page from right to left or gives its text twice the size, or turns that back. */
function turn(way: 'from right to left' | 'large', isOn: boolean): void {
  const { body } = document;
  if (way === 'from right to left') {
    body.toggleAttribute('dir', isOn);
    if (isOn) body.dir = 'rtl';
    body.classList.toggle('mod-rtl', isOn);
    return;
  }
  const names = ['--font-ui-smaller', '--font-ui-small', '--font-ui-medium', '--font-ui-large', '--font-text-size'];
  const style = getComputedStyle(body);
  const sizes = names.map((name) => [name, isOn ? `${2 * parseFloat(style.getPropertyValue(name))}px` : '']);
  body.setCssProps(Object.fromEntries(sizes) as Record<string, string>);
}

function untilDrawn(): Promise<void> {
  return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())));
}

/**
 * Returns what does not fit below these roots: boxes that scroll sideways without being made for it, or where hardly a
 * line is seen, sentences in too narrow a column, what is cut off or extends beyond its view, and controls that something
 * covers.
 * @param least how large a control is at least
 */
function findMisfits(wanted: string, least: number): string[] {
  const scrolls = 'pre, .docent-table, .docent-review-table, .docent-usage-scroller, .docent-diagram, .docent-math';
  const controls =
    'button, select, textarea, input, summary, [role=button], [role=option], [role=tab], label:has(input)';
  const inText = '.docent-user-link, .docent-markdown input';
  /** How high a box that scrolls is at least, in sizes of its text: less shows no line and its neighbor. */
  const minLines = 4;
  /** How wide a sentence is at least, in sizes of its text: less breaks most words. */
  const minWidth = 5;
  const sentenceLength = 40;
  const nameOf = (element: Element): string => {
    const said = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${said.trim().slice(0, 30)}”`;
  };
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  /** Whether it may be wider than its view, or is for screen readers alone. */
  const isApart = (element: Element): boolean =>
    element.closest(`${scrolls}, textarea, input, select, .docent-said`) !== null;
  const findInBox = (element: HTMLElement, edge: DOMRect): string[] => {
    const { display, textOverflow, webkitLineClamp, overflowX, overflowY } = getComputedStyle(element);
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    const { left, right } = element.getBoundingClientRect();
    // What is shortened says so by three dots, which the text of a flexible box does not get.
    const hasDots = textOverflow === 'ellipsis' && !display.endsWith('flex');
    const isShortened = hasDots || webkitLineClamp !== 'none';
    const isTooWide = scrollWidth > clientWidth + 1 && (overflowX !== 'visible' || element.matches('button'));
    const isTooHigh = scrollHeight > clientHeight + 2 && /hidden|clip/.test(overflowY);
    // The chat makes room for what is asked.
    const mayShrink = element.matches('.docent-transcript');
    const isScrolled = /auto|scroll/.test(overflowY) && scrollHeight > clientHeight + 2 && !mayShrink;
    const isCramped = isScrolled && clientHeight < minLines * parseFloat(getComputedStyle(element).fontSize);
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const isSentence = own.map(({ textContent }) => textContent?.trim() ?? '').join('').length >= sentenceLength;
    const isSqueezed =
      isSentence && clientWidth > 0 && clientWidth < minWidth * parseFloat(getComputedStyle(element).fontSize);
    return [
      ...(isSqueezed ? [`squeezed: ${nameOf(element)} ${clientWidth}`] : []),
      ...(isCramped ? [`cramped: ${nameOf(element)} ${scrollHeight} > ${clientHeight}`] : []),
      ...(isTooWide && !isShortened ? [`sideways: ${nameOf(element)} ${scrollWidth} > ${clientWidth}`] : []),
      ...(isTooHigh && !isShortened ? [`cut: ${nameOf(element)} ${scrollHeight} > ${clientHeight}`] : []),
      ...(left < edge.left - 1 || right > edge.right + 1 ? [`outside: ${nameOf(element)}`] : []),
    ];
  };
  /** What is at the middle of a control that is scrolled into view; the control itself for another one. */
  const hitAt = (control: Element): Element | null => {
    const box = control.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (let parent = control.parentElement; parent !== null; parent = parent.parentElement) {
      if (getComputedStyle(parent).overflowY === 'visible') continue;
      const view = parent.getBoundingClientRect();
      // At an edge, what is hit is a matter of rounding.
      if (y <= view.top + 1 || y >= view.bottom - 1 || x <= view.left || x >= view.right) return control;
    }
    return x < 0 || x >= innerWidth || y < 0 || y >= innerHeight ? control : document.elementFromPoint(x, y);
  };
  const isInScrolled = ({ parentElement: parent }: Element): boolean => {
    if (parent === null) return false;
    const isScrolled = parent.scrollHeight > parent.clientHeight + 1;
    return (isScrolled && /auto|scroll/.test(getComputedStyle(parent).overflowY)) || isInScrolled(parent);
  };
  /** Whether a control is covered only by a list that is open, or can be scrolled away from what is over it. */
  const mayCover = (hit: Element, control: Element): boolean => {
    const isScrolled = isInScrolled(control);
    if (hit.closest('.docent-review-bar, .docent-to-end') !== null) return !control.closest('.docent-review-foot');
    return hit.closest('.docent-popup') !== null || (hit.closest('.status-bar') !== null && isScrolled);
  };
  /** Whether a box shows less of its placeholder than there is, and no dots. */
  const isHintCut = (control: HTMLElement): boolean => {
    if (!(control instanceof HTMLInputElement) || control.placeholder === '' || control.value !== '') return false;
    const { font, paddingLeft, paddingRight, textOverflow } = getComputedStyle(control);
    const pen = document.createElement('canvas').getContext('2d');
    if (pen === null || textOverflow === 'ellipsis') return false;
    pen.font = font;
    const width = control.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return pen.measureText(control.placeholder).width > width + 1;
  };
  const findInControl = (control: HTMLElement): string[] => {
    const box = control.getBoundingClientRect();
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    const isSmall = (width < least || height < least) && !control.matches(inText);
    const hit = hitAt(control);
    const isHit = hit !== null && (control.contains(hit) || hit.contains(control) || mayCover(hit, control));
    return [
      ...(isSmall ? [`small: ${nameOf(control)} ${width} × ${height}`] : []),
      ...(isHintCut(control) ? [`cut: ${nameOf(control)} ${(control as HTMLInputElement).placeholder}`] : []),
      ...(isHit ? [] : [`covered: ${nameOf(control)} by ${hit === null ? 'nothing' : nameOf(hit)}`]),
    ];
  };
  const found = [...document.querySelectorAll<HTMLElement>(wanted)].flatMap((root) => {
    const edge = root.getBoundingClientRect();
    const isBeyond = edge.left < -1 || edge.right > innerWidth + 1;
    const boxes = [root, ...root.querySelectorAll<HTMLElement>('*')].filter(
      (element) => element instanceof HTMLElement && isShown(element) && !isApart(element),
    );
    const pressed = [...root.querySelectorAll<HTMLElement>(controls)].filter(
      (control) => isShown(control) && !control.matches('label input, :disabled, .checkbox-container input'),
    );
    return [
      ...(isBeyond ? [`beyond the window: ${nameOf(root)}`] : []),
      ...boxes.flatMap((element) => findInBox(element, edge)),
      ...pressed.flatMap(findInControl),
    ];
  });
  return [...new Set(found)];
}

/**
 * Returns texts below these roots that do not begin at the right, for a page from right to left. What is read line by
 * line begins where its language does.
 */
function findMisaligned(wanted: string): string[] {
  const isOfBlock = (element: Element): boolean => !/^(?:inline|contents)$/.test(getComputedStyle(element).display);
  const blockOf = (element: Element): Element =>
    isOfBlock(element) || element.parentElement === null ? element : blockOf(element.parentElement);
  const read =
    '.docent-markdown, .docent-user-text, .docent-word-changes, .docent-review-table, pre, code, .cm-content';
  const apart = `${read}, select, .docent-said`;
  const hasText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
  const texts = [...document.querySelectorAll(wanted)]
    .flatMap((root) => [root, ...root.querySelectorAll('*')])
    .filter((element) => hasText(element) && element.checkVisibility() && element.closest(apart) === null);
  return [...new Set(texts.map(blockOf))]
    .filter((block) => {
      const { display, textAlign, paddingRight, borderRightWidth } = getComputedStyle(block);
      if (/flex|grid/.test(display) || !/^(?:start|right)$/.test(textAlign)) return false;
      const range = document.createRange();
      range.selectNodeContents(block);
      const rights = [...range.getClientRects()].map(({ right }) => right);
      const edge = block.getBoundingClientRect().right - parseFloat(paddingRight) - parseFloat(borderRightWidth);
      return Math.max(...rights) < edge - 4;
    })
    .map((block) => `${block.tagName.toLowerCase()}.${block.className} “${block.textContent?.trim().slice(0, 30)}”`);
}

/** Returns what moves below these roots, or would when its state changes. */
function findMotion(wanted: string): string[] {
  const isStill = (time: string): boolean => time.split(',').every((each) => parseFloat(each) === 0);
  return [...document.querySelectorAll(wanted)].flatMap((root) =>
    [root, ...root.querySelectorAll('[class*=docent-]')]
      .filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element);
        return animationName !== 'none' || !isStill(transitionDuration);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** Returns the controls below these roots at which nothing shows that they have the focus; the focus returns afterwards. */
export async function findUnseenFocus(page: Page, roots: string): Promise<string[]> {
  // The browser shows the focus that a script moves only after a key.
  await page.keyboard.press('Shift');
  return page.evaluate((wanted) => {
    const before = document.activeElement as HTMLElement | null;
    const stops = 'button, a[href], [tabindex], select, textarea, input, summary';
    const unseen = [...document.querySelectorAll(wanted)]
      .flatMap((root) => [...root.querySelectorAll<HTMLElement>(stops)])
      .filter((stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility())
      .filter((stop) => {
        stop.focus({ preventScroll: true });
        const { outlineStyle, outlineWidth } = getComputedStyle(stop);
        const box = stop.matches('.docent-composer-input') ? stop.closest('.docent-composer') : null;
        const isSeen =
          box === null
            ? outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
            : getComputedStyle(box).borderStyle !== 'none';
        return document.activeElement !== stop || !isSeen;
      })
      .map((stop) => stop.outerHTML.slice(0, 160));
    before?.focus({ preventScroll: true });
    return unseen;
  }, roots);
}

const pageJudges = {
  ...{ findViolations, findMisfits, findMisaligned, findMotion, findMoved, findTooltips },
  ...{ hideRest, turn, untilDrawn },
};

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
}

/**
 * Rules that axe applies to what is not the plugin's, or does not see as a browser does.
 * - `scrollable-region-focusable` of the list of suggestions: the arrow keys scroll it while the focus stays in the box,
 *   which axe knows of a combobox alone; a text area must not be one.
 */
const outsideOfRules: Readonly<Record<string, string>> = { 'scrollable-region-focusable': '#docent-suggestions' };

/** Puts axe into the page, once for each load. */
export async function installAxe(page: Page): Promise<void> {
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
}

/**
 * Returns what axe finds in the elements below these roots, by all its rules for WCAG A and AA and its best practices.
 * Rules about a whole page, such as its title and landmarks, do not apply: the page is the app's.
 * @param rules the only rules to apply; all of them unless given
 */
export function findViolations(page: Page, roots: string, rules?: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async ([include = '', only, outside]) => {
      const options = { resultTypes: ['violations'], ...(only && { runOnly: { type: 'rule', values: only } }) };
      const { violations } = await axe.run({ include: [[include]] }, options);
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .filter(({ html }) => !html.includes(`id="${outside[id]?.slice(1)}"`))
          .map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
      );
    },
    [roots, rules, outsideOfRules] as const,
  );
}

/** Points that a finger needs. */
const target = 44;

/**
 * Returns what does not fit below these roots: boxes that scroll sideways without being made for it, what is cut off or
 * extends beyond its view, and controls that something covers.
 * @param hasTargets whether controls that are too small for a finger are listed too
 */
export function findMisfits(page: Page, roots: string, hasTargets = false): Promise<string[]> {
  return page.evaluate(
    ([wanted, least]) => {
      const scrolls = 'pre, .docent-table, .docent-review-table, .docent-usage-scroller, .docent-diagram, .docent-math';
      const controls =
        'button, select, textarea, input, summary, [role=button], [role=option], [role=tab], label:has(input)';
      const inText = '.docent-user-link, .docent-markdown input';
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
        const { textOverflow, webkitLineClamp, overflowX, overflowY } = getComputedStyle(element);
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
        const { left, right } = element.getBoundingClientRect();
        // What is shortened says so by three dots.
        const isShortened = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
        const isTooWide = scrollWidth > clientWidth + 1 && (overflowX !== 'visible' || element.matches('button'));
        const isTooHigh = scrollHeight > clientHeight + 2 && /hidden|clip/.test(overflowY);
        return [
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
          if (y <= view.top || y >= view.bottom || x <= view.left || x >= view.right) return control;
        }
        return x < 0 || x >= innerWidth || y < 0 || y >= innerHeight ? control : document.elementFromPoint(x, y);
      };
      /** Whether a control is covered only by a list that is open, or can be scrolled away from what is over it. */
      const mayCover = (hit: Element, control: Element): boolean => {
        const chatView = control.closest('.docent-pane');
        const isScrolled = chatView !== null && chatView.scrollHeight > chatView.clientHeight;
        if (hit.closest('.docent-review-bar, .docent-to-end') !== null) return !control.closest('.docent-review-foot');
        return hit.closest('.docent-popup') !== null || (hit.closest('.status-bar') !== null && isScrolled);
      };
      const findInControl = (control: HTMLElement): string[] => {
        const box = control.getBoundingClientRect();
        const [width, height] = [Math.round(box.width), Math.round(box.height)];
        const isSmall = (width < least || height < least) && !control.matches(inText);
        const hit = hitAt(control);
        const isHit = hit !== null && (control.contains(hit) || hit.contains(control) || mayCover(hit, control));
        return [
          ...(isSmall ? [`small: ${nameOf(control)} ${width} × ${height}`] : []),
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
    },
    [roots, hasTargets ? target : 0] as const,
  );
}

/** Returns what moves below these roots, or would when its state changes. */
export function findMotion(page: Page, roots: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const isStill = (time: string): boolean => time.split(',').every((each) => parseFloat(each) === 0);
    return [...document.querySelectorAll(wanted)].flatMap((root) =>
      [root, ...root.querySelectorAll('[class*=docent-]')]
        .filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element);
          return animationName !== 'none' || !isStill(transitionDuration);
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    );
  }, roots);
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

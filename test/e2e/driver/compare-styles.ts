/**
 * Whether two style sheets of the plugin make a page look the same: both are put into it, one after the other, and what
 * becomes of every element is compared, property by property. `npm run measure -- styles` has the walks do so.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

export type StyleLook = 'dark' | 'light' | 'phone';

export interface StyleDifference {
  readonly look: StyleLook;
  /** Tag and classes after those of the parent, with the name of what is drawn before or after it. */
  readonly element: string;
  readonly property: string;
  readonly before: string;
  readonly after: string;
}

export interface StyleComparison {
  readonly elements: number;
  readonly looks: readonly StyleLook[];
  readonly count: Readonly<Record<StyleLook, number>>;
  /** The first of each look. */
  readonly differences: readonly StyleDifference[];
  /** Selectors of the second sheet that no element of the page matches in any look. */
  readonly idle: readonly string[];
}

/** A line of the file that the walks write. */
export interface ComparedSight extends StyleComparison {
  readonly sight: string;
}

/** A walk meets its page in one theme and with one element pointed at; the passes make the others of it. */
interface Pass {
  readonly look: StyleLook;
  /** Pseudo-classes that are taken to hold for every element. */
  readonly held: readonly string[];
  readonly isMotionReduced: boolean;
}

const focused = ['focus', 'focus-visible', 'focus-within'];
const desktopPasses: readonly Pass[] = [
  { look: 'dark', held: [], isMotionReduced: true },
  { look: 'dark', held: ['hover'], isMotionReduced: true },
  { look: 'dark', held: focused, isMotionReduced: true },
  { look: 'light', held: [], isMotionReduced: false },
  { look: 'phone', held: [], isMotionReduced: true },
];
const phonePasses: readonly Pass[] = [
  { look: 'phone', held: [], isMotionReduced: true },
  { look: 'phone', held: focused, isMotionReduced: false },
];
const maxShown = 20;

/**
 * Leaves the page as it was.
 * @param indexes of the elements to look at, in the order of the page; all unless given
 * @returns null for a page without the plugin
 */
export function compareStyles(
  page: Page,
  before: string,
  after: string,
  indexes: readonly number[] | null = null,
): Promise<StyleComparison | null> {
  return page.evaluate(
    ({ sheets, wanted, passes, most }) => {
      const { head, body } = document;
      const sheet = head.querySelector<HTMLStyleElement>('style[data-plugin="docent"]');
      if (sheet === null) return null;
      const { textContent: ownText } = sheet;
      const ownClass = body.className;
      const isPhone = body.classList.contains('is-phone');
      const all = [body, ...body.querySelectorAll('*')];
      const compared = wanted === null ? all : wanted.flatMap((index) => all[index] ?? []);
      const scrolled = all
        .filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0)
        .map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }));
      // Sizes by the direction of writing are among those by side too; custom properties show in what uses them.
      const names = [...getComputedStyle(body)].filter((name) => !/^--|(?:^|-)(?:block|inline)(?:-|$)/.test(name));
      const parts = ['', '::before', '::after'];

      /** Matches every element and weighs as much as the pseudo-class that it replaces. */
      const everything = ':not(.no-such-class)';
      const holding = (text: string, { held, isMotionReduced }: Pass): string =>
        held
          .reduce((changed, state) => changed.replace(new RegExp(`:${state}(?![\\w-])`, 'g'), everything), text)
          .replaceAll('(prefers-reduced-motion: reduce)', isMotionReduced ? '(min-width: 0)' : '(max-width: 0)');

      /** What moves is brought to where it ends, or to its first picture if it has no end. */
      const settle = (): void => {
        for (let round = 0; round < 5; round++) {
          body.getBoundingClientRect();
          const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
          for (const each of moving) {
            if (each instanceof CSSTransition) each.finish();
            else if (each instanceof CSSAnimation) {
              each.pause();
              each.currentTime = 0;
            }
          }
          if (moving.length === 0) return;
        }
      };
      const put = (text: string): void => {
        sheet.textContent = text;
        settle();
      };
      const wear = (look: StyleLook): void => {
        if (isPhone) return;
        body.classList.toggle('theme-dark', look !== 'light');
        body.classList.toggle('theme-light', look === 'light');
        for (const name of ['is-mobile', 'is-phone']) body.classList.toggle(name, look === 'phone');
      };
      const read = (): string[][] =>
        compared.map((element) =>
          parts.map((part) => {
            const style = getComputedStyle(element, part || null);
            if (part !== '' && style.content === 'none') return '';
            return names.map((name) => style.getPropertyValue(name)).join('\n');
          }),
        );

      const nameOf = (element: Element): string => [element.tagName.toLowerCase(), ...element.classList].join('.');
      const selectorsIn = (rules: CSSRuleList, isInForce: (media: string) => boolean): string[] =>
        [...rules].flatMap((rule) => {
          if (rule instanceof CSSStyleRule) return splitList(rule.selectorText);
          const isLeftOut = rule instanceof CSSMediaRule && !isInForce(rule.conditionText);
          return rule instanceof CSSGroupingRule && !isLeftOut ? selectorsIn(rule.cssRules, isInForce) : [];
        });
      /** At the commas outside all brackets. */
      const splitList = (list: string): string[] => {
        let depth = 0;
        const marked = Array.from(list, (character) => {
          if (character === '(') depth++;
          if (character === ')') depth--;
          return character === ',' && depth === 0 ? '\n' : character;
        });
        return marked.join('').split(/\n\s*/);
      };
      const parsed = new CSSStyleSheet();
      parsed.replaceSync(sheets.after);

      const count = { dark: 0, light: 0, phone: 0 };
      const differences: StyleDifference[] = [];
      const shown = new Set<string>();
      const used = passes[isPhone ? 'phone' : 'desktop'];
      try {
        for (const pass of used) {
          const { look } = pass;
          wear(look);
          put(holding(sheets.before, pass));
          const old = read();
          put(holding(sheets.after, pass));
          const now = read();
          for (const selector of selectorsIn(parsed.cssRules, (media) => matchMedia(holding(media, pass)).matches)) {
            // Marks in a text are pseudo-elements of any element.
            const elements = holding(selector, pass).replace(/::[\w-]+(?:\([^)]*\))?/g, '');
            if (elements === '' || document.querySelector(elements)) shown.add(selector);
          }
          for (const [index, element] of compared.entries()) {
            for (const [at, part] of parts.entries()) {
              const [was = '', is = ''] = [old[index]?.[at], now[index]?.[at]];
              if (was === is) continue;
              const place = element === body ? '' : `${nameOf(element.parentElement!)} > `;
              const report = (property: string, first: string, second: string): void => {
                if (count[look]++ >= most) return;
                const shown = `${place}${nameOf(element)}${part}`;
                differences.push({ look, element: shown, property, before: first, after: second });
              };
              if (was === '' || is === '') {
                report('content', was === '' ? 'not drawn' : 'drawn', is === '' ? 'not drawn' : 'drawn');
                continue;
              }
              const [wasOf, isOf] = [was.split('\n'), is.split('\n')];
              for (const [which, property] of names.entries()) {
                const [first = '', second = ''] = [wasOf[which], isOf[which]];
                if (first !== second) report(property, first, second);
              }
            }
          }
        }
      } finally {
        body.className = ownClass;
        put(ownText);
        for (const each of document.getAnimations()) if (each instanceof CSSAnimation) each.play();
        for (const { element, top, left } of scrolled) element.scrollTo({ top, left, behavior: 'instant' });
      }
      const idle = [...new Set(selectorsIn(parsed.cssRules, () => true))].filter((selector) => !shown.has(selector));
      return { elements: compared.length, looks: [...new Set(used.map(({ look }) => look))], count, differences, idle };
    },
    {
      sheets: { before, after },
      wanted: indexes,
      passes: { desktop: desktopPasses, phone: phonePasses },
      most: maxShown,
    },
  );
}

const settings = { against: process.env.DOCENT_STYLES_AGAINST, found: process.env.DOCENT_STYLES_FOUND };
/** Whether the walks of this run compare what they come by. */
export const isComparing = settings.against !== undefined;
const seen = new Set<string>();

/** Compares what the page holds, but for kinds of elements that were compared before, with the sheet that the run names. */
export async function compareSight(page: Page, sight: string): Promise<void> {
  if (settings.against === undefined || settings.found === undefined) return;
  try {
    const ownText = () => document.head.querySelector('style[data-plugin="docent"]')?.textContent ?? null;
    const [before, after] = [readFileSync(settings.against, 'utf8'), await page.evaluate(ownText)];
    if (after === null) return;
    const fresh: number[] = [];
    for (const [index, kind] of (await page.evaluate(listKinds)).entries()) {
      if (!seen.has(kind)) fresh.push(index);
      seen.add(kind);
    }
    if (fresh.length === 0) return;
    const compared = await compareStyles(page, before, after, fresh);
    if (compared !== null) appendFileSync(settings.found, `${JSON.stringify({ sight, ...compared })}\n`);
  } catch (thrown) {
    // A walk may have closed or left the page in the meantime.
    if (!page.isClosed() && !/context was destroyed|navigat/.test(String(thrown))) throw thrown;
  }
}

/**
 * Each element of the body by all that the selectors of a sheet can match on it: itself, those around it, the one before
 * it. Two of a kind are styled alike.
 */
function listKinds(): string[] {
  const matchedAttributes = ['class', 'type', 'align', 'data-callout', 'aria-expanded'];
  const device = document.body.classList.contains('is-phone') ? 'phone' : 'desktop';
  const kinds = new Map<Element, string>([[document.body, device]]);
  const shorten = (kind: string): string => {
    let [first, second] = [0, 1];
    for (let index = 0; index < kind.length; index++) {
      first = Math.imul(first ^ kind.charCodeAt(index), 0x9e3779b1);
      second = Math.imul(second ^ kind.charCodeAt(index), 0x85ebca6b) ^ (second >>> 13);
    }
    return `${first} ${second}`;
  };
  for (const element of document.body.querySelectorAll('*')) {
    const { checked, indeterminate, disabled } = element as HTMLInputElement;
    const attributes = Array.from(element.attributes, ({ name, value }) =>
      matchedAttributes.includes(name) ? `${name}=${value}` : name,
    );
    const before = element.previousElementSibling?.getAttribute('class') ?? element.previousElementSibling?.tagName;
    const around = [kinds.get(element.parentElement!), before, element.nextElementSibling === null];
    kinds.set(
      element,
      shorten([element.tagName, ...attributes, checked, indeterminate, disabled, ...around].join(' ')),
    );
  }
  return [...kinds.values()];
}

/** Measures how a page looks: the contrast of text, and boxes that extend beyond the window. */
import type { Page } from 'playwright-core';

export interface Contrast {
  /** How many visible texts were measured. */
  count: number;
  /** The lowest contrast among them. */
  ratio: number;
  lowest: string;
}

/** WCAG contrast of the first hundred visible texts that match, over the backgrounds stacked below them. */
export function measureContrast(page: Page, selector: string): Promise<Contrast> {
  return page.evaluate((wanted) => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const read = (text: string): Colour => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (index: 0 | 1 | 2): number => top[index] * top[3] + below[index] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const backgroundOf = (element: Element | null): Colour => {
      if (!element) return [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement));
    };
    const luminance = ([red, green, blue]: Colour): number => {
      const linear = [red, green, blue].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const result = { count: 0, ratio: Infinity, lowest: '' };
    const texts = [...document.querySelectorAll<HTMLElement>(wanted)].filter(
      (element) => element.checkVisibility() && element.innerText.trim() !== '',
    );
    for (const element of texts.slice(0, 100)) {
      const background = backgroundOf(element);
      const text = luminance(over(read(getComputedStyle(element).color), background));
      const below = luminance(background);
      const ratio = (Math.max(text, below) + 0.05) / (Math.min(text, below) + 0.05);
      result.count++;
      if (ratio >= result.ratio) continue;
      result.ratio = ratio;
      result.lowest = `${ratio.toFixed(2)} ${element.innerText.slice(0, 40)}`;
    }
    return result;
  }, selector);
}

/** Finds boxes that scroll sideways unintentionally, and boxes of the page that extend beyond the window. */
export function measureOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const name = (element: Element): string => `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}`;
    const root = document.scrollingElement;
    if (root && root.scrollWidth > innerWidth) found.push(`page ${root.scrollWidth} > ${innerWidth}`);
    const scrolling = '.cm-sizer, .markdown-preview-view, .modal-content, .prompt, .prompt-results, .menu, .notice';
    const areas = `${scrolling}, .nav-files-container, .vertical-tab-content-container, .vertical-tab-header`;
    for (const area of document.querySelectorAll<HTMLElement>(areas)) {
      if (area.checkVisibility() && area.scrollWidth > area.clientWidth + 1) {
        found.push(`${name(area)} ${area.scrollWidth} > ${area.clientWidth}`);
      }
    }
    for (const box of document.querySelectorAll('.modal, .prompt, .menu, .notice, .popover, .suggestion-container')) {
      const { left, right, top, bottom, width } = box.getBoundingClientRect();
      const outside = left < 0 || right > innerWidth + 1 || top < 0 || bottom > innerHeight + 1;
      if (width > 0 && outside) found.push(`${name(box)} stands out of the window`);
    }
    return found;
  });
}

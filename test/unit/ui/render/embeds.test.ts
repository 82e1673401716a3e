/**
 * What an answer embeds of the vault: images and notes, shown at once or when asked, and what is said if they cannot be.
 *
 * @jest-environment jsdom
 */
import { words } from '../../../../src/text';
import type { RenderContext } from '../../../../src/ui/render/drawing';
import { draw } from './drawing-context';

const say = words.render;
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
const holderIn = (drawn: HTMLElement): HTMLElement => drawn.querySelector<HTMLElement>('.docent-embed')!;

describe('an image', () => {
  const image = (alias: string, changes: Partial<RenderContext> = {}): HTMLElement =>
    holderIn(draw(`![[photo.png${alias}]]`, changes));

  it.each([
    ['', 'Files/photo.png', null, null],
    ['|a photo', 'a photo', null, null],
    ['|300', 'Files/photo.png', '300', null],
    ['|300x200', 'Files/photo.png', '300', '200'],
    ['|a photo|300x200', 'a photo', '300', '200'],
    ['|photo 300', 'photo 300', null, null],
  ])('named %j has the words and the size of that name', (alias, alt, width, height) => {
    const shown = image(alias).querySelector('img');
    expect([shown?.alt, shown?.getAttribute('width'), shown?.getAttribute('height')]).toEqual([alt, width, height]);
    expect(shown?.title).toBe('Files/photo.png');
  });

  it('is shown once its button is pressed if it is large, or if the chat has read what others wrote', () => {
    const waits = (changes: Partial<RenderContext>): (string | null | undefined)[] => {
      const holder = image('|a photo', changes);
      const button = holder.querySelector('button');
      const before = [holder.querySelector('a')?.textContent, button?.textContent, holder.querySelector('img')?.alt];
      button?.click();
      return [...before, holder.querySelector('img')?.alt, holder.querySelector('button')?.textContent];
    };
    const atOnce = [undefined, undefined, 'a photo', 'a photo', undefined];
    expect(waits({ sizeOf: () => 10_000_000 })).toEqual(atOnce);
    expect(waits({})).toEqual(atOnce);
    const asked = (name: string): unknown[] => ['a photo', name, undefined, 'a photo', undefined];
    expect(waits({ sizeOf: () => 12_400_000 })).toEqual(asked(say.showLargeImage(12)));
    expect(waits({ tainted: true })).toEqual(asked(say.showImage));
    expect(waits({ tainted: true, sizeOf: () => 12_400_000 })).toEqual(asked(say.showLargeImage(12)));
  });

  it('says that it is missing, or that it could not be loaded', () => {
    const missing = image('', { sizeOf: () => null });
    expect(missing.textContent).toContain(say.imageMissing('Files/photo.png'));
    expect(missing.querySelector('img')).toBeNull();
    const failed = image('');
    failed.querySelector('img')?.dispatchEvent(new Event('error'));
    expect([failed.textContent, failed.querySelector('img')]).toEqual([say.imageFailed('Files/photo.png'), null]);
  });

  it('is a link where it has no address of this device', () => {
    const addresses = ['http://localhost:80/a.png', 'https://127.0.0.1/a.png', 'capacitor://localhost/a', 'blob:a'];
    expect(
      addresses.map((address) => image('', { resolveImage: () => address }).querySelector('img') !== null),
    ).toEqual(Array(4).fill(true));
    const others = ['https://localhost.example/a.png', 'data:image/png;base64,', 'file:///a.png'];
    for (const address of others) {
      const holder = image('', { resolveImage: () => address });
      expect([holder.querySelector('img'), holder.querySelector('a')?.textContent]).toEqual([null, 'photo.png']);
    }
  });
});

describe('a note', () => {
  const reading = (text: string | null): Partial<RenderContext> => ({ readNote: () => Promise.resolve(text) });

  it('is drawn below its name', async () => {
    const asked: unknown[] = [];
    const readNote = (...all: unknown[]): Promise<string> => {
      asked.push(all);
      return Promise.resolve('The **keel** bolts.');
    };
    const drawn = draw('![[Ideas#Plan|the plan]]', { readNote });
    await settle();
    expect(asked).toEqual([['Notes/Ideas.md', 'Ideas#Plan']]);
    expect(drawn.querySelector('.docent-embed > a')?.textContent).toBe('the plan');
    expect(drawn.querySelector('.docent-embedded-note strong')?.textContent).toBe('keel');
    expect(holderIn(drawn).className).toContain('is-open');
    expect(drawn.textContent).not.toContain(say.embedCut);
  });

  it('waits for its button in a chat that has read what others wrote', async () => {
    const drawn = draw('![[Ideas]]', { ...reading('The keel bolts.'), tainted: true });
    await settle();
    expect(drawn.querySelector('.docent-embedded-note')).toBeNull();
    const button = drawn.querySelector('button');
    expect(button?.textContent).toBe(say.showNote);
    button?.click();
    await settle();
    expect(drawn.querySelector('.docent-embedded-note')?.textContent).toBe('The keel bolts.');
    expect(drawn.querySelector('button')).toBeNull();
  });

  it('says that it cannot be read, or that more of it was left out', async () => {
    const unread = draw('![[Ideas]]', reading(null));
    const long = draw('![[Ideas]]', reading('a'.repeat(40_001)));
    const whole = draw('![[Ideas]]', reading('b'.repeat(40_000)));
    await settle();
    expect(unread.textContent).toBe(`Ideas${say.embedFailed}`);
    expect(long.textContent).toContain(say.embedCut);
    expect(whole.textContent).not.toContain(say.embedCut);
  });

  it('is drawn in a note that is drawn, three of them deep and never in itself', async () => {
    const notes: Readonly<Record<string, string>> = { A: '![[B]]', B: '![[C]] ![[A]]', C: '![[D]]', D: 'The end.' };
    const drawn = draw('![[A]]', {
      resolveLink: (linkText) => (linkText in notes ? `${linkText}.md` : null),
      readNote: (path) => Promise.resolve(notes[path.replace('.md', '')] ?? null),
    });
    for (let depth = 0; depth < 4; depth += 1) await settle();
    expect(drawn.querySelectorAll('.docent-embedded-note')).toHaveLength(3);
    expect(drawn.textContent).toContain(say.embedsItself);
    expect(drawn.textContent).not.toContain('The end.');
    expect([...drawn.querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual(['A', 'B', 'C', 'D', 'A']);
  });

  it('is a link where notes cannot be read, and where it is no note', () => {
    for (const markdown of ['![[Ideas]]', '![[scan.pdf]]']) {
      const drawn = draw(markdown, markdown === '![[Ideas]]' ? {} : reading('text'));
      expect([drawn.querySelectorAll('a').length, drawn.querySelector('.docent-embedded-note')]).toEqual([1, null]);
    }
    const missing = draw('![[Nowhere|the place]]', reading('text'));
    expect([missing.textContent, missing.querySelector('.docent-embed')]).toEqual(['the place', null]);
  });
});

describe('tags', () => {
  const tagsIn = (markdown: string, more: Partial<RenderContext> = {}): string[] =>
    [...draw(markdown, { openSearch: () => undefined, ...more }).querySelectorAll('a.tag')].map(
      ({ textContent }) => textContent,
    );

  it('are links at the beginning of a word that is not only digits', () => {
    expect(tagsIn('#oak and #2026-plan, x#no #12 **#bold** #ship/keel')).toEqual(['#oak', '#2026-plan', '#ship/keel']);
    expect(tagsIn('- #oak\n- a\\\n  #elm')).toEqual(['#oak', '#elm']);
    expect(tagsIn('**a**#no **b** #yes')).toEqual(['#yes']);
  });

  it('are words in a link, and where nothing can be searched', () => {
    expect(tagsIn('[#oak](https://known.example)')).toEqual([]);
    expect(draw('#oak').querySelector('a')).toBeNull();
    expect(draw('a #oak b', { openSearch: () => undefined }).textContent).toBe('a #oak b');
  });
});

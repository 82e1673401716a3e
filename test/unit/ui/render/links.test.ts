/**
 * Links and images: what is clickable, what stays words, and that every way to use a link passes the gate.
 *
 * @jest-environment jsdom
 */
import { words } from '../../../../src/text';
import { draw } from './drawing-context';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const KNOWN = new Set(['https://known.example/', 'https://known.example/page?q=1', 'mailto:a@known.example']);

describe('links to notes', () => {
  it.each([
    ['[[Ideas]]', 'Ideas', 'Ideas'],
    ['[[Ideas#Plan|the plan]]', 'Ideas#Plan', 'the plan'],
    ['[[Ideas#Plan]]', 'Ideas#Plan', 'Ideas > Plan'],
    ['[x](Notes/Ideas.md)', 'Notes/Ideas.md', 'x'],
    ['[x](A%20note.md)', 'A note.md', 'x'],
    ['[x](<A note.md>)', 'A note.md', 'x'],
    ['![[scan.pdf]]', 'scan.pdf', 'scan.pdf'],
    ['[x][r]\n\n[r]: Notes/Ideas.md', 'Notes/Ideas.md', 'x'],
  ])('%s opens a note', (markdown, linkText, label) => {
    const drawn = draw(markdown);
    const anchor = drawn.querySelector('a');
    expect(anchor?.className).toContain('internal-link');
    expect(anchor?.textContent).toBe(label);
    anchor?.click();
    anchor?.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true }));
    anchor?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }));
    expect(drawn.recorded.opened).toEqual([
      { linkText, newTab: false },
      { linkText, newTab: true },
      { linkText, newTab: true },
    ]);
  });

  it.each(['[[Missing|gone]]', '[gone](Missing.md)', '![gone](missing.png)', '![[gone]]'])(
    '%s stays words',
    (markdown) => {
      const drawn = draw(markdown);
      expect(drawn.querySelector('a, img')).toBeNull();
      const words = drawn.querySelector('.is-unresolved');
      expect(words?.textContent).toBe('gone');
      expect(words?.getAttribute('title')).toMatch(/wasn’t found/);
    },
  );

  it('open a citation with the quote above it, without the buttons of its code', () => {
    const quoted: string[] = [];
    const openNote = (_link: string, _newTab: boolean, quote = ''): void => void quoted.push(quote);
    const citing = '> ```js\n> let a = 1\n> ```\n\n[[Ideas]]';
    draw(citing, { openNote }).querySelector('a')?.click();
    expect(quoted).toEqual(['jslet a = 1']);
  });

  it('previews on hover, but not while tainted', () => {
    const hover = (drawn: HTMLElement): boolean | undefined =>
      drawn.querySelector('a')?.dispatchEvent(new MouseEvent('mouseover'));
    const clean = draw('[[Ideas]]');
    hover(clean);
    expect(clean.recorded.previewed).toEqual(['Ideas']);
    const tainted = draw('[[Ideas]]', { tainted: true });
    hover(tainted);
    expect(tainted.recorded.previewed).toEqual([]);
  });
});

describe('links out of the vault', () => {
  it('have no destination of their own', () => {
    for (const anchor of draw('[a](https://known.example) <https://b.example> www.c.example').querySelectorAll('a')) {
      expect(anchor.hasAttribute('href')).toBe(false);
      expect([anchor.getAttribute('role'), anchor.tabIndex]).toEqual(['link', 0]);
    }
  });

  it.each(['click', 'auxclick', 'keydown'])('open a known address on %s', async (type) => {
    const drawn = draw('[a page](https://known.example/page?q=1)', { knownUrls: KNOWN });
    const anchor = drawn.querySelector('a');
    const init = { bubbles: true, cancelable: true, button: type === 'auxclick' ? 1 : 0, key: 'Enter' };
    const event = type === 'keydown' ? new KeyboardEvent(type, init) : new MouseEvent(type, init);
    expect(anchor?.dispatchEvent(event)).toBe(false);
    await settle();
    expect(drawn.recorded.external).toEqual(['https://known.example/page?q=1']);
    expect(drawn.recorded.asked).toEqual([]);
  });

  it.each([
    ['unknown-url', '[a](https://other.example/?d=secret)', {}],
    ['tainted', '[a](https://known.example)', { tainted: true }],
    ['other-host', '[bank.example](https://known.example)', {}],
  ])('ask first when %s, and stay closed on no', async (reason, markdown, changes) => {
    const drawn = draw(markdown, { knownUrls: KNOWN, ...changes });
    drawn.querySelector('a')?.click();
    await settle();
    expect(drawn.recorded.asked.map((decision) => decision.reason)).toEqual([reason]);
    expect(drawn.recorded.external).toEqual([]);
  });

  it('open after a yes, and stay closed when nobody can be asked', async () => {
    const yes = draw('[a](https://other.example/)', { confirmLink: () => Promise.resolve(true) });
    yes.querySelector('a')?.click();
    const nobody = draw('[a](https://other.example/)', { confirmLink: undefined });
    nobody.querySelector('a')?.click();
    await settle();
    expect(yes.recorded.external).toEqual(['https://other.example/']);
    expect(nobody.recorded.external).toEqual([]);
  });

  it.each([
    ['[a](https://a.example/?x=1&amp;copy=2)', 'https://a.example/?x=1&copy=2'],
    ['<https://a.example/?x=1&copy;=2>', 'https://a.example/?x=1&copy;=2'],
    ['https://a.example/?x=1&copy;=2', 'https://a.example/?x=1&copy;=2'],
  ])('go where the text says: %s', async (markdown, address) => {
    const drawn = draw(markdown, { confirmLink: () => Promise.resolve(true) });
    drawn.querySelector('a')?.click();
    await settle();
    expect(drawn.recorded.external).toEqual([address]);
  });

  it('see the taint that came after they were drawn', async () => {
    let tainted = false;
    const drawn = draw('[a](https://known.example)', {
      knownUrls: KNOWN,
      get tainted() {
        return tainted;
      },
    });
    drawn.querySelector('a')?.click();
    tainted = true;
    drawn.querySelector('a')?.click();
    await settle();
    expect(drawn.recorded.external).toEqual(['https://known.example/']);
    expect(drawn.recorded.asked.map(({ reason }) => reason)).toEqual(['tainted']);
  });

  it('keep the context menu and dragging inside the gate', () => {
    const drawn = draw('[a](https://other.example/)');
    const anchor = drawn.querySelector('a');
    expect(anchor?.dispatchEvent(new MouseEvent('contextmenu', { cancelable: true }))).toBe(false);
    expect(drawn.recorded.menus.map(({ verdict }) => verdict)).toEqual(['confirm']);
    expect(anchor?.dispatchEvent(new Event('dragstart', { cancelable: true }))).toBe(false);
    expect(drawn.recorded.external).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&#58;alert(1)',
    'java&#x09;script:alert(1)',
    'data:text/html,x',
    'blob:https://a.example/x',
    'file:///etc/passwd',
    'app://obsidian.md/x',
    'obsidian://open?vault=x',
    'vbscript:x',
    'ftp://a.example',
    '//a.example/x',
    '\\\\\\\\a.example\\\\x',
    'https://',
  ])('stay words for %s', (address) => {
    for (const markdown of [`[x](${address})`, `[x](<${address}>)`, `[x][r]\n\n[r]: ${address}`, `![x](${address})`]) {
      const drawn = draw(markdown, { resolveLink: () => null });
      expect(drawn.querySelector('a, img')).toBeNull();
      expect(drawn.textContent).toContain('x');
    }
  });

  it('are not nested', () => {
    const drawn = draw('[a [[Ideas]] ![i](https://i.example/p.png) <https://b.example>](https://known.example)');
    expect(drawn.querySelector('a a')).toBeNull();
    expect(draw('[![i](https://i.example/p.png)](https://known.example)').querySelectorAll('a')).toHaveLength(1);
  });
});

describe('images', () => {
  it('opens the file of an image by a key as by a click', () => {
    const drawn = draw('![[photo.png|a photo]]');
    const image = drawn.querySelector('img') as HTMLElement;
    expect([image.getAttribute('role'), image.tabIndex]).toEqual(['link', 0]);
    const key = (init: KeyboardEventInit): boolean =>
      image.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
    expect([key({ key: 'Enter', isComposing: true }), key({ key: ' ' }), key({ key: 'Enter' })]).toEqual([
      ...[true, true, false],
    ]);
    image.click();
    expect(drawn.recorded.opened).toEqual(Array(2).fill({ linkText: 'Files/photo.png', newTab: false }));
  });

  it('of addresses that are refused show the beginning of them, and why', () => {
    for (const [label, caption] of [
      ['a photo', 'a photo'],
      ['', words.render.imageRefused],
    ] as const) {
      const box = draw(`![${label}](<data:image/png;base64,${'A'.repeat(300)}>)`).querySelector('.docent-remote-image');
      const address = box?.querySelector<HTMLElement>('.docent-remote-image-address');
      expect(box?.querySelector('.docent-remote-image-caption')?.textContent).toBe(caption);
      expect(address?.title).toBe(words.render.refused.scheme);
      expect(address?.textContent).toMatch(/^data:image\/png;base64,A+…$/);
      expect(address?.textContent.length).toBeLessThanOrEqual(201);
      expect(box?.querySelector('a, img')).toBeNull();
    }
  });

  it('of the vault are shown', () => {
    for (const markdown of ['![a photo](photo.png)', '![[photo.png|a photo]]', '![a photo][p]\n\n[p]: photo.png']) {
      const image = draw(markdown).querySelector('img');
      expect([image?.getAttribute('src'), image?.alt]).toEqual(['app://local/Files/photo.png', 'a photo']);
    }
  });

  it('of the vault are links when they cannot be shown, or their address leads elsewhere', () => {
    for (const resolveImage of [undefined, () => null, () => 'https://evil.example/x.png']) {
      const drawn = draw('![a photo](photo.png)', { resolveImage });
      expect(drawn.querySelector('img')).toBeNull();
      expect(drawn.querySelector('a.internal-link')?.textContent).toBe('a photo');
    }
  });

  it.each(['![pic](https://i.example/p.png?d=a%20b)', '![pic][p]\n\n[p]: https://i.example/p.png?d=a%20b'])(
    'from elsewhere are a box with host and address: %j',
    (markdown) => {
      const drawn = draw(markdown);
      expect(drawn.querySelector('img')).toBeNull();
      const box = drawn.querySelector('.docent-remote-image');
      expect(box?.textContent).toContain('i.example, not loaded');
      expect(box?.querySelector('a')?.textContent).toBe('https://i.example/p.png?d=a b');
    },
  );
});

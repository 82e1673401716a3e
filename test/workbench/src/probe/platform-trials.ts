/** Trials of requests, stores, the platform and small functions. */
import {
  apiVersion,
  arrayBufferToBase64,
  arrayBufferToHex,
  base64ToArrayBuffer,
  debounce,
  getIcon,
  getIconIds,
  getLanguage,
  Keymap,
  moment,
  Platform,
  requestUrl,
  requireApiVersion,
  Scope,
  setIcon,
  stripHeading,
} from 'obsidian';
import type ProbePlugin from './main';
import type { Trials } from './main';

/** The type is a namespace here; what the app gives is a function. */
const parseMoment = moment as unknown as typeof moment.utc;

export function createPlatformTrials(plugin: ProbePlugin): Trials {
  return {
    async request(url: string) {
      const sent = await requestUrl({
        url: `${url}/echo`,
        method: 'POST',
        body: '{"a":1}',
        contentType: 'application/json',
      });
      const refused = await requestUrl(`${url}/404`).then(
        () => 'no error',
        (error: { status?: number }) => error.status,
      );
      const quiet = await requestUrl({ url: `${url}/404`, throw: false });
      const text = await requestUrl({ url: `${url}/echo` }).text;
      return { status: sent.status, json: sent.json as unknown, refused, quiet: quiet.status, text };
    },

    keepSecret() {
      const { secretStorage } = plugin.app;
      secretStorage.setSecret('probe-key', 'hush');
      return { value: secretStorage.getSecret('probe-key'), listed: secretStorage.listSecrets().includes('probe-key') };
    },

    keepLocally() {
      const { app } = plugin;
      app.saveLocalStorage('probe-place', { scroll: 4 });
      const kept = app.loadLocalStorage('probe-place') as unknown;
      app.saveLocalStorage('probe-place', null);
      return { kept, removed: app.loadLocalStorage('probe-place') as unknown };
    },

    async keepData() {
      await plugin.saveData({ ...plugin.settings, text: 'kept' });
      return ((await plugin.loadData()) as { text: string }).text;
    },

    async debounced() {
      const calls: number[] = [];
      const late = debounce((value: number) => void calls.push(value), 30, true);
      late(1);
      late(2);
      await sleep(60);
      late(3);
      late.cancel();
      late(4);
      late.run();
      await sleep(60);
      return calls;
    },

    describePlatform: () => ({
      phone: Platform.isPhone,
      mobile: Platform.isMobile,
      desktop: Platform.isDesktop,
      apple: Platform.isMacOS,
      dark: plugin.app.isDarkMode(),
      version: apiVersion,
      recent: requireApiVersion('1.13.0') && !requireApiVersion('99.0.0'),
      language: getLanguage(),
    }),

    convertBytes() {
      const bytes = new Uint8Array([104, 105]).buffer;
      const back = new TextDecoder().decode(base64ToArrayBuffer(arrayBufferToBase64(bytes)));
      return {
        base64: arrayBufferToBase64(bytes),
        hex: arrayBufferToHex(bytes),
        back,
        heading: stripHeading('A: *b*'),
      };
    },

    useMoment: () => ({
      text: parseMoment('2026-03-05', 'YYYY-MM-DD', true).add(1, 'month').format('D MMMM YYYY'),
      same: (window as unknown as { moment: unknown }).moment === moment,
    }),

    useIcons() {
      const el = createDiv();
      setIcon(el, 'probe-mark');
      return {
        own: el.querySelector('circle') !== null,
        lucide: getIcon('lucide-file-text')?.tagName.toLowerCase(),
        none: getIcon('no-such-icon'),
        many: getIconIds().length > 1000,
      };
    },

    /** A scope that a plugin pushes hears keys before the app; a popped one does not. */
    pushScope() {
      const scope = new Scope();
      scope.register(null, 'F8', () => {
        plugin.note('pushed scope');
        plugin.app.keymap.popScope(scope);
        return false;
      });
      plugin.app.keymap.pushScope(scope);
    },

    keymap: () => ({
      mod: Keymap.isModEvent(new MouseEvent('click', { ctrlKey: true, metaKey: true })),
      middle: Keymap.isModEvent(new MouseEvent('auxclick', { button: 1 })),
      none: Keymap.isModEvent(new MouseEvent('click')),
      modifier: Keymap.isModifier(new KeyboardEvent('keydown', { shiftKey: true }), 'Shift'),
    }),

    useDomHelpers() {
      const el = createDiv('outer');
      const list = el.createEl('ul', { cls: ['a', 'b'], attr: { 'data-x': 1 } }, (made) =>
        made.createEl('li', { text: 'one' }),
      );
      list.createEl('li', { text: 'zero', prepend: true });
      el.createSvg('svg', 'mark');
      list.toggleClass('on', true);
      let clicks = 0;
      el.on('click', 'li', () => void clicks++);
      el.find('li').click();
      const texts = el.findAll('li').map((item) => item.getText());
      list.hide();
      const hidden = list.style.display;
      list.show();
      list.empty();
      return {
        texts,
        clicks,
        hidden,
        classes: [...list.classList],
        left: list.childElementCount,
        svg: el.querySelector('svg')?.namespaceURI,
        is: el.instanceOf(HTMLElement),
        last: [1, 2, 3].last(),
        has: [1, 2].contains(2),
        active: activeDocument === document && activeWindow === window,
      };
    },

    protocol: (params: Record<string, string>) => params,
  };
}

/** A small app for widget tests: a keymap on the window, a vault of a few paths, and secrets in memory. */
import { installDom } from '../../../src/obsidian/base/dom';
import { setPlatform } from '../../../src/obsidian/base/platform';
import { Keymap, Scope } from '../../../src/obsidian/base/scope';
import { setWidgetApp, type WidgetApp } from '../../../src/obsidian/windows/host';
import { createMemorySecretStore, SecretStorage } from '../../../src/obsidian/settings/secret-storage';

export interface Stage extends WidgetApp {
  keymap: Keymap;
}

let stopListening: () => void = () => undefined;

export function createStage(secrets: Record<string, string> = {}): Stage {
  installDom(window);
  setPlatform({ phone: false });
  stopListening();
  document.body.innerHTML = '';
  document.body.className = '';
  setActiveDocument(document);
  const keymap = new Keymap();
  stopListening = keymap.listen(window);
  const stage: Stage = {
    keymap,
    scope: new Scope(),
    vault: {
      getFiles: () => [{ path: 'Inbox/First.md' }, { path: 'Projects/Plan.md' }, { path: 'Projects/plan.png' }],
      getAllFolders: (includeRoot) => [
        ...(includeRoot ? [{ path: '/' }] : []),
        { path: 'Inbox' },
        { path: 'Projects' },
      ],
    },
    secretStorage: new SecretStorage(createMemorySecretStore(secrets)),
  };
  setWidgetApp(stage);
  return stage;
}

export function setActiveDocument(doc: Document): void {
  window.activeDocument = doc;
  window.activeWindow = doc.defaultView as Window;
}

/** A second window's document with the helpers installed, as in a popout. */
export function createSecondDocument(keymap?: Keymap): Document {
  const frame = document.body.appendChild(document.createElement('iframe'));
  const second = frame.contentWindow as Window;
  installDom(second);
  keymap?.listen(second);
  return second.document;
}

/** Sends a key to the focused element; true when something took it. */
export function press(key: string, modifiers: KeyboardEventInit = {}, doc: Document = document): boolean {
  const target = doc.activeElement ?? doc.body;
  const view = doc.defaultView as Window & typeof globalThis;
  const event = new view.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers });
  return !target.dispatchEvent(event);
}

export function type(inputEl: HTMLElement, text: string): void {
  (inputEl as HTMLInputElement).value = text;
  inputEl.dispatchEvent(new Event('input', { bubbles: true }));
}

export function find<T extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): T {
  const el = root.querySelector<T>(selector);
  if (!el) throw new Error(`Nothing matches ${selector}`);
  return el;
}

export function texts(selector: string, root: ParentNode = document): string[] {
  return Array.from(root.querySelectorAll(selector), (el) => el.textContent ?? '');
}

/** Lets every settled promise run its reactions. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

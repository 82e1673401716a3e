/** Installs the global helpers that Obsidian adds to every window it owns. */
import { installElementCreation } from './dom-create';
import { installElementHelpers } from './dom-elements';
import { installEventHelpers, notifyWindowMigrated } from './dom-events';
import { installLanguageHelpers } from './language-helpers';

export { notifyWindowMigrated };

const installed = new WeakSet<object>();

export type RealmWindow = Window & typeof globalThis;

/** Idempotent; call it for the main window and for every popout. */
export function installDom(target: Window): void {
  const realm = target as RealmWindow;
  if (installed.has(realm)) return;
  installed.add(realm);
  installLanguageHelpers(realm);
  installElementHelpers(realm);
  installElementCreation(realm);
  installEventHelpers(realm);
  installWindowHelpers(realm);
}

function installWindowHelpers(realm: RealmWindow): void {
  const helpers = {
    activeWindow: realm,
    activeDocument: realm.document,
    sleep: (ms: number) => new Promise<void>((resolve) => void realm.setTimeout(resolve, ms)),
    nextFrame: () => new Promise<void>((resolve) => void realm.requestAnimationFrame(() => resolve())),
    fish: (selector: string) => realm.document.querySelector<HTMLElement>(selector),
    fishAll: (selector: string) => Array.from(realm.document.querySelectorAll<HTMLElement>(selector)),
    ready: (callback: () => unknown) => {
      if (realm.document.readyState !== 'loading') callback();
      else realm.document.addEventListener('DOMContentLoaded', () => callback());
    },
    ajax: (options: AjaxOptions) => sendAjax(realm, options),
    ajaxPromise: (options: AjaxOptions) =>
      new Promise((resolve, reject) => sendAjax(realm, { ...options, success: resolve, error: reject })),
  };
  Object.assign(realm, helpers);
}

function sendAjax(realm: RealmWindow, options: AjaxOptions): void {
  const request = options.req ?? new realm.XMLHttpRequest();
  request.open(options.method ?? 'GET', options.url, true);
  request.withCredentials = options.withCredentials ?? false;
  for (const [name, value] of Object.entries(options.headers ?? {})) request.setRequestHeader(name, value);
  request.onload = () => {
    if (request.status >= 200 && request.status < 400) options.success?.(request.response, request);
    else options.error?.(new Error(`Request failed, ${request.status}`), request);
  };
  request.onerror = () => options.error?.(new Error('Request failed'), request);
  const { data } = options;
  if (data === undefined) request.send();
  else if (typeof data === 'string' || data instanceof ArrayBuffer) request.send(data);
  else request.send(JSON.stringify(data));
}

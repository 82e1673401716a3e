/** Opens a window of its own for a part of the workspace. */
import type { WorkspaceWindowInitData } from 'obsidian';
import { installDom } from '../base/dom';
import { Platform } from '../base/platform';
import type { Workspace } from './workspace';
import { WorkspaceWindow } from './split';

interface ActiveRealm {
  activeWindow: Window;
  activeDocument: Document;
}

/** A realm without windows (jsdom) lends a frame, which has a document and classes of its own all the same. */
function openWindow(workspace: Workspace, data?: WorkspaceWindowInitData): Window {
  const { width, height } = data?.size ?? { width: 600, height: 800 };
  const place = data?.x === undefined ? '' : `,left=${data.x},top=${data.y ?? 0}`;
  const opener = workspace.app.openWindow;
  const opened = opener ? opener(`popup,width=${width},height=${height}${place}`) : null;
  if (opened) return opened;
  if (opener) throw new Error('The browser did not allow another window');
  const frame = workspace.document.body.createEl('iframe', 'popout-frame');
  frame.toggle(false);
  return frame.contentWindow as Window;
}

function copyLooks(from: Document, to: Document): void {
  to.title = from.title;
  for (const node of Array.from(from.querySelectorAll('link[rel="stylesheet"], style'))) {
    const copy = to.importNode(node, true);
    if (copy.nodeName === 'LINK') copy.setAttribute('href', (node as HTMLLinkElement).href);
    to.head.append(copy);
  }
  to.documentElement.lang = from.documentElement.lang;
  to.body.className = from.body.className;
  to.body.classList.add('is-popout-window');
}

export function openPopout(workspace: Workspace, data?: WorkspaceWindowInitData): WorkspaceWindow {
  if (!Platform.isDesktop) throw new Error('Popout windows are not supported on this device');
  const win = openWindow(workspace, data);
  installDom(win);
  copyLooks(workspace.document, win.document);
  const container = new WorkspaceWindow(workspace, win);
  workspace.floatingSplit.insertChild(-1, container);
  win.document.body
    .createDiv('app-container')
    .createDiv('horizontal-main-container')
    .createDiv('workspace')
    .append(container.containerEl);
  const stopKeys = workspace.app.keymap.listen(win);
  const mainRealm = workspace.window as unknown as ActiveRealm;
  const activate = (): void => void Object.assign(mainRealm, { activeWindow: win, activeDocument: win.document });
  const release = (): void =>
    void Object.assign(mainRealm, { activeWindow: workspace.window, activeDocument: workspace.document });
  win.addEventListener('focus', activate);
  workspace.window.addEventListener('focus', release);
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    stopKeys();
    release();
    workspace.window.removeEventListener('focus', release);
    for (const leaf of workspace.collectLeaves(container)) leaf.detach();
    workspace.floatingSplit.removeChild(container);
    workspace.trigger('window-close', container, win);
    const frame = win.frameElement;
    void workspace.whenClosed().then(() => (frame ? frame.remove() : win.close()));
  };
  win.addEventListener('beforeunload', close);
  container.onEmpty = close;
  workspace.trigger('window-open', container, win);
  return container;
}

/** The frame of the window: ribbon, docks, root and status bar, rebuilt when the device changes. */
import { Events } from '../base/events';
import { Platform } from '../base/platform';
import { setIcon } from '../controls/icons';
import { setTooltip } from '../windows/tooltip';
import type { App } from '../app/app';
import type { Workspace } from './workspace';
import { WorkspaceFloating, WorkspaceRoot } from './split';
import { WorkspaceMobileDrawer, WorkspaceRibbon, WorkspaceSidedock } from './sidedock';

export abstract class WorkspaceShell extends Events {
  readonly document: Document;
  readonly window: Window;
  appEl: HTMLElement;
  mainEl: HTMLElement;
  containerEl: HTMLElement;
  statusBarEl: HTMLElement;
  leftRibbon!: WorkspaceRibbon;
  /** Deprecated in the API and never shown. */
  rightRibbon!: WorkspaceRibbon;
  leftSplit!: WorkspaceSidedock | WorkspaceMobileDrawer;
  rightSplit!: WorkspaceSidedock | WorkspaceMobileDrawer;
  rootSplit!: WorkspaceRoot;
  floatingSplit!: WorkspaceFloating;
  layoutReady = false;
  private readyCallbacks: (() => unknown)[] = [];

  constructor(
    readonly app: App,
    document: Document,
  ) {
    super();
    this.document = document;
    this.window = document.defaultView as Window;
    this.appEl = document.body.createDiv('app-container');
    this.mainEl = this.appEl.createDiv('horizontal-main-container');
    this.containerEl = this.mainEl.createDiv('workspace');
    this.statusBarEl = this.appEl.createDiv('status-bar');
  }

  protected abstract get self(): Workspace;

  /** Ribbon buttons of plugins survive a rebuild: they are moved, not made again. */
  protected buildFrame(): void {
    const workspace = this.self;
    this.containerEl.empty();
    this.leftRibbon ??= new WorkspaceRibbon(workspace, 'left');
    this.rightRibbon ??= new WorkspaceRibbon(workspace, 'right');
    this.rootSplit = new WorkspaceRoot(workspace);
    this.floatingSplit ??= new WorkspaceFloating(workspace);
    const phone = Platform.isMobile;
    this.leftSplit = phone ? new WorkspaceMobileDrawer(workspace, 'left') : new WorkspaceSidedock(workspace, 'left');
    this.rightSplit = phone ? new WorkspaceMobileDrawer(workspace, 'right') : new WorkspaceSidedock(workspace, 'right');
    const { leftRibbon, leftSplit, rootSplit, rightSplit } = this;
    if (!phone) this.containerEl.append(leftRibbon.containerEl);
    for (const split of [leftSplit, rootSplit, rightSplit]) this.containerEl.append(split.containerEl);
    this.containerEl.toggleClass(['is-left-sidedock-open', 'is-right-sidedock-open'], !phone);
    if (!phone) {
      this.createToggle('left');
      this.createToggle('right');
    }
  }

  private createToggle(side: 'left' | 'right'): void {
    const toggle = this.containerEl.createDiv(`sidebar-toggle-button mod-${side}`).createDiv('clickable-icon');
    setIcon(toggle, side === 'left' ? 'panel-left' : 'panel-right');
    setTooltip(toggle, side === 'left' ? 'Toggle left sidebar' : 'Toggle right sidebar');
    toggle.addEventListener('click', () => (side === 'left' ? this.leftSplit : this.rightSplit).toggle());
  }

  onLayoutReady(callback: () => unknown): void {
    if (this.layoutReady) callback();
    else this.readyCallbacks.push(callback);
  }

  protected announceReady(): void {
    this.layoutReady = true;
    const callbacks = this.readyCallbacks.splice(0);
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        console.error(error);
      }
    }
    this.trigger('layout-ready');
  }
}

/** A leaf holds one view, its tab header, its history and its place in the tree. */
import type { EventRef, OpenViewState, TFile, ViewState } from 'obsidian';
import type { HoverPopover } from '../windows/popover';
import type { App } from '../app/app';
import type { View } from './view';
import type { WorkspaceParent } from './item';
import { WorkspaceItem } from './item';
import type { LeafGroup } from './tabs';
import { buildTabHeader, updateTabHeader } from './tab-header';
import { DeferredView, EmptyView, UnknownView } from './placeholder-views';

interface HistoryStep {
  state: ViewState;
  eState: unknown;
}

export class WorkspaceLeaf extends WorkspaceItem {
  declare parent: LeafGroup;
  view: View;
  hoverPopover: HoverPopover | null = null;
  pinned = false;
  group: string | null = null;
  tabHeaderEl: HTMLElement;
  activeTime = 0;
  readonly history = { back: [] as HistoryStep[], forward: [] as HistoryStep[] };

  /** @param saved what a saved layout has in the leaf, which is opened later */
  constructor(
    readonly app: App,
    saved?: ViewState,
  ) {
    super();
    const doc = app.workspace.document;
    this.containerEl = doc.createElement('div');
    this.containerEl.addClass('workspace-leaf');
    this.containerEl.addEventListener(
      'mousedown',
      () => this.app.workspace.setActiveLeaf(this, { focus: false }),
      true,
    );
    this.containerEl.addEventListener('focusin', () => this.app.workspace.setActiveLeaf(this, { focus: false }));
    this.tabHeaderEl = buildTabHeader(this, doc);
    this.view = saved ? new DeferredView(this, saved) : new EmptyView(this);
    this.view.attach(this.containerEl);
    this.updateHeader();
  }

  get workspace(): App['workspace'] {
    return this.app.workspace;
  }

  get isDeferred(): boolean {
    return this.view instanceof DeferredView;
  }

  /** Whether the leaf is the shown one of a group that is open. */
  isVisible(): boolean {
    return (this.parent as LeafGroup | null)?.currentLeaf === this && this.parent.isOpen();
  }

  async open(view: View): Promise<View> {
    const old = this.view;
    this.view = view;
    if (old !== view) await old.close();
    await view.open(this.containerEl);
    this.updateHeader();
    return view;
  }

  async openFile(file: TFile, openState: OpenViewState = {}): Promise<void> {
    const type = this.app.viewRegistry.getTypeByExtension(file.extension);
    if (!type) {
      await this.app.openWithDefaultApp(file.path);
      return;
    }
    const state: ViewState = {
      type,
      state: { ...this.currentMode(type), file: file.path, ...openState.state },
      active: openState.active ?? true,
    };
    if (openState.group) state.group = openState.group;
    await this.setViewState(state, openState.eState);
  }

  private currentMode(type: string): Record<string, unknown> {
    if (type !== 'markdown' || this.view.getViewType() !== 'markdown') return {};
    const { mode, source } = this.view.getState();
    return { mode, source };
  }

  getViewState(): ViewState {
    return {
      type: this.view.getViewType(),
      state: this.view.getState(),
      ...(this.pinned ? { pinned: true } : {}),
      icon: this.getIcon(),
      title: this.getDisplayText(),
    } as ViewState;
  }

  async setViewState(viewState: ViewState, eState?: unknown): Promise<void> {
    await this.applyViewState(viewState, eState, true);
  }

  private async applyViewState(viewState: ViewState, eState: unknown, record: boolean): Promise<void> {
    const before: HistoryStep = { state: this.getViewState(), eState: this.getEphemeralState() };
    const result = { history: false };
    if (viewState.type !== this.view.getViewType() || this.isDeferred || this.view instanceof UnknownView) {
      result.history = this.view.navigation && !(this.view instanceof EmptyView);
      await this.open(this.createView(viewState));
    }
    await this.view.setState(viewState.state ?? {}, result);
    if (record && result.history && before.state.state?.['file'] !== undefined) {
      this.history.back.push(before);
      this.history.forward.length = 0;
    }
    if (viewState.pinned !== undefined) this.setPinned(viewState.pinned);
    if (viewState.group) this.setGroupMember(viewState.group as unknown as WorkspaceLeaf);
    if (viewState.active) this.workspace.setActiveLeaf(this, { focus: true });
    if (eState !== undefined && eState !== null) this.setEphemeralState(eState);
    this.updateHeader();
    this.workspace.onLayoutChange();
    this.workspace.updateActiveFile();
  }

  private createView(viewState: ViewState): View {
    if (viewState.type === 'empty') return new EmptyView(this);
    const creator = this.app.viewRegistry.getViewCreatorByType(viewState.type);
    if (!creator) return new UnknownView(this, viewState);
    if (!viewState.active && !this.isVisible() && this.workspace.defersBackgroundLeaves()) {
      return new DeferredView(this, viewState);
    }
    return creator(this);
  }

  /** Builds the real view in place of a placeholder, or again after its type was registered again. */
  async loadIfDeferred(): Promise<void> {
    if (this.loading) return this.loading;
    if (!this.isDeferred) return;
    this.loading = this.rebuildView().finally(() => (this.loading = null));
    return this.loading;
  }
  private loading: Promise<void> | null = null;

  async rebuildView(): Promise<void> {
    const viewState = this.getViewState();
    const eState = this.getEphemeralState();
    const creator = this.app.viewRegistry.getViewCreatorByType(viewState.type);
    await this.open(creator ? creator(this) : new UnknownView(this, viewState));
    await this.view.setState(viewState.state ?? {}, { history: false });
    if (eState) this.setEphemeralState(eState);
    this.updateHeader();
    this.workspace.onLayoutChange();
    this.workspace.updateActiveFile();
  }

  async travel(direction: 'back' | 'forward'): Promise<void> {
    const step = this.history[direction].pop();
    if (!step) return;
    const other = direction === 'back' ? 'forward' : 'back';
    this.history[other].push({ state: this.getViewState(), eState: this.getEphemeralState() });
    await this.applyViewState({ ...step.state, active: true }, step.eState, false);
  }

  getEphemeralState(): unknown {
    return this.view.getEphemeralState();
  }

  setEphemeralState(state: unknown): void {
    this.view.setEphemeralState(state);
  }

  togglePinned(): void {
    this.setPinned(!this.pinned);
  }

  setPinned(pinned: boolean): void {
    if (this.pinned === pinned) return;
    this.pinned = pinned;
    this.updateHeader();
    this.trigger('pinned-change', pinned);
    this.workspace.onLayoutChange();
  }

  setGroup(group: string): void {
    this.group = group;
    this.trigger('group-change', group);
    this.workspace.onLayoutChange();
  }

  setGroupMember(other: WorkspaceLeaf): void {
    other.group ??= other.id;
    this.setGroup(other.group);
  }

  detach(): void {
    this.workspace.holdClosing(this.view.close());
    (this.parent as WorkspaceParent | null)?.removeChild(this);
    (this as { parent: WorkspaceParent | null }).parent = null;
    this.workspace.afterDetach(this);
  }

  getIcon(): string {
    return this.view.getIcon();
  }

  getDisplayText(): string {
    return this.view.getDisplayText();
  }

  updateHeader(): void {
    updateTabHeader(this);
    this.view.updateTitle();
    (this.parent as LeafGroup | null)?.updateHeader();
  }

  override onResize(): void {
    this.view.onResize();
  }

  serialize(): Record<string, unknown> {
    const { pinned, ...state } = this.getViewState();
    return {
      id: this.id,
      type: 'leaf',
      ...(this.group ? { group: this.group } : {}),
      ...(pinned ? { pinned } : {}),
      state,
    };
  }

  override on(name: 'pinned-change', callback: (pinned: boolean) => unknown, ctx?: unknown): EventRef;
  override on(name: 'group-change', callback: (group: string) => unknown, ctx?: unknown): EventRef;
  override on(name: string, callback: (...data: never[]) => unknown, ctx?: unknown): EventRef {
    return super.on(name, callback as (...data: unknown[]) => unknown, ctx);
  }
}

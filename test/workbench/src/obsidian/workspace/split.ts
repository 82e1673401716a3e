/** Splits arrange items in a row or a column; containers are the splits that own a window. */
import type { SplitDirection } from 'obsidian';
import type { Workspace } from './workspace';
import { WorkspaceItem, WorkspaceParent } from './item';

export class WorkspaceSplit extends WorkspaceParent {
  direction: SplitDirection;

  constructor(
    readonly workspace: Workspace,
    direction: SplitDirection,
    extraClass = '',
  ) {
    super();
    this.direction = direction;
    this.containerEl = workspace.document.createElement('div');
    this.containerEl.addClass('workspace-split', `mod-${direction}`);
    if (extraClass) this.containerEl.addClasses(extraClass.split(' '));
    this.contentEl = this.containerEl;
  }

  setDirection(direction: SplitDirection): void {
    this.direction = direction;
    this.containerEl.toggleClass('mod-vertical', direction === 'vertical');
    this.containerEl.toggleClass('mod-horizontal', direction === 'horizontal');
  }

  protected override onChildrenChanged(): void {
    for (const handle of Array.from(this.contentEl.children)) {
      if (handle.hasClass('mod-between')) handle.remove();
    }
    for (const child of this.children.slice(1)) {
      const handle = this.contentEl.doc.createElement('hr');
      handle.addClass('workspace-leaf-resize-handle', 'mod-between');
      this.contentEl.insertBefore(handle, child.containerEl);
      handle.addEventListener('pointerdown', (event) => this.dragBoundary(event, handle, child));
    }
  }

  private dragBoundary(event: PointerEvent, handle: HTMLElement, after: WorkspaceItem): void {
    const before = this.children[this.children.indexOf(after) - 1];
    if (!before) return;
    const across = this.direction === 'vertical';
    const size = (item: WorkspaceItem): number => {
      const box = item.containerEl.getBoundingClientRect();
      return across ? box.width : box.height;
    };
    const total = size(before) + size(after);
    const share = (before.dimension ?? 50) + (after.dimension ?? 50);
    const start = across ? event.clientX : event.clientY;
    const first = size(before);
    dragHandle(this.workspace, event, handle, (moved) => {
      const now = (across ? moved.clientX : moved.clientY) - start + first;
      const part = Math.min(0.9, Math.max(0.1, now / total));
      before.setDimension(share * part);
      after.setDimension(share * (1 - part));
    });
  }

  serialize(): Record<string, unknown> {
    return {
      id: this.id,
      type: 'split',
      ...(this.dimension === null ? {} : { dimension: this.dimension }),
      children: this.children.map((child) => child.serialize()),
      direction: this.direction,
    };
  }
}

/** Follows the pointer that pressed a handle until it is released. */
export function dragHandle(
  workspace: Workspace,
  event: PointerEvent,
  handle: HTMLElement,
  move: (moved: PointerEvent) => void,
): void {
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  const stop = (): void => {
    handle.removeEventListener('pointermove', move);
    handle.removeEventListener('pointerup', stop);
    workspace.trigger('resize');
    workspace.onLayoutChange();
  };
  handle.addEventListener('pointermove', move);
  handle.addEventListener('pointerup', stop);
}

export abstract class WorkspaceContainer extends WorkspaceSplit {
  abstract win: Window;
  abstract doc: Document;

  override getContainer(): WorkspaceContainer {
    return this;
  }
}

export class WorkspaceRoot extends WorkspaceContainer {
  win: Window;
  doc: Document;

  constructor(workspace: Workspace) {
    super(workspace, 'vertical', 'mod-root');
    this.allowEmpty = true;
    this.doc = workspace.document;
    this.win = workspace.window;
  }
}

/** The holder of popout windows; it has no element on the page. */
export class WorkspaceFloating extends WorkspaceParent {
  constructor(readonly workspace: Workspace) {
    super();
    this.allowEmpty = true;
    this.containerEl = workspace.document.createElement('div');
    this.contentEl = this.containerEl;
  }

  override insertChild(index: number, child: WorkspaceItem): void {
    const at = index < 0 ? this.children.length : index;
    this.children.splice(at, 0, child);
    child.parent = this;
  }

  serialize(): Record<string, unknown> {
    return { id: this.id, type: 'floating', children: this.children.map((child) => child.serialize()) };
  }
}

export class WorkspaceWindow extends WorkspaceContainer {
  win: Window;
  doc: Document;

  constructor(workspace: Workspace, win: Window) {
    super(workspace, 'vertical', 'mod-root mod-window');
    this.win = win;
    this.doc = win.document;
    this.doc.adoptNode(this.containerEl);
  }

  /** A window whose last tab was closed closes. */
  onEmpty: (() => void) | null = null;

  override removeChild(child: WorkspaceItem): void {
    super.removeChild(child);
    if (this.children.length === 0) this.onEmpty?.();
  }

  override serialize(): Record<string, unknown> {
    return { ...super.serialize(), type: 'window', x: this.win.screenX, y: this.win.screenY };
  }
}

/** The tree that contains every leaf: items, and parents that hold them. */
import { Events } from '../base/events';

let nextItem = 0;

/** Ids only need to be unique inside one saved layout; a counter keeps runs comparable. */
export function createItemId(): string {
  nextItem += 1;
  return (Date.now().toString(16) + nextItem.toString(16).padStart(5, '0')).padStart(16, '0').slice(-16);
}

export abstract class WorkspaceItem extends Events {
  /** Null only on roots; typed as the API types it. */
  parent!: WorkspaceParent;
  id = createItemId();
  containerEl!: HTMLElement;
  dimension: number | null = null;

  getRoot(): WorkspaceItem {
    return (this.parent as WorkspaceParent | null) ? this.parent.getRoot() : this;
  }

  /** Returns the ancestor that owns the window; for items of the sidebars, the main root. */
  getContainer(): WorkspaceItem {
    return (this.parent as WorkspaceParent | null) ? this.parent.getContainer() : this;
  }

  setDimension(dimension: number | null): void {
    this.dimension = dimension;
    this.containerEl.setCssStyles({ flexGrow: dimension === null ? '' : String(dimension) });
  }

  onResize(): void {}

  abstract serialize(): Record<string, unknown>;
}

export abstract class WorkspaceParent extends WorkspaceItem {
  children: WorkspaceItem[] = [];
  /** Where children's elements go. */
  contentEl!: HTMLElement;
  allowEmpty = false;

  insertChild(index: number, child: WorkspaceItem): void {
    const at = index < 0 || index > this.children.length ? this.children.length : index;
    const next = this.children[at];
    this.children.splice(at, 0, child);
    child.parent = this;
    this.contentEl.insertBefore(child.containerEl, next ? next.containerEl : null);
    this.onChildrenChanged();
  }

  replaceChild(index: number, child: WorkspaceItem): void {
    const old = this.children[index];
    if (!old) throw new Error('There is no child to replace');
    this.contentEl.replaceChild(child.containerEl, old.containerEl);
    this.children[index] = child;
    child.parent = this;
    (old as { parent: WorkspaceParent | null }).parent = null;
    this.onChildrenChanged();
  }

  /** A parent that loses its last child leaves the tree too, unless it is one of the fixed places. */
  removeChild(child: WorkspaceItem): void {
    if (!this.children.contains(child)) return;
    this.children.remove(child);
    child.containerEl.remove();
    this.onChildrenChanged();
    const parent = this.parent as WorkspaceParent | null;
    if (this.children.length === 0 && !this.allowEmpty && parent) parent.removeChild(this);
  }

  override onResize(): void {
    for (const child of this.children) child.onResize();
  }

  protected onChildrenChanged(): void {}
}

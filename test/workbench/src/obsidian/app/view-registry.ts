/** Which view draws which type, and which type opens which extension. */
import { Events } from '../base/events';
import type { WorkspaceLeaf } from '../workspace/leaf';
import type { View } from '../workspace/view';

export type ViewCreator = (leaf: WorkspaceLeaf) => View;

export class ViewRegistry extends Events {
  readonly viewByType = new Map<string, ViewCreator>();
  readonly typeByExtension = new Map<string, string>();

  registerView(type: string, creator: ViewCreator): void {
    if (this.viewByType.has(type)) throw new Error(`Attempting to register an existing view type "${type}"`);
    this.viewByType.set(type, creator);
    this.trigger('view-registered', type);
  }

  unregisterView(type: string): void {
    if (this.viewByType.delete(type)) this.trigger('view-unregistered', type);
  }

  registerExtensions(extensions: string[], type: string): void {
    for (const extension of extensions) {
      if (this.typeByExtension.has(extension)) {
        throw new Error(`Attempting to register an existing file extension "${extension}"`);
      }
    }
    for (const extension of extensions) this.typeByExtension.set(extension, type);
  }

  unregisterExtensions(extensions: string[]): void {
    for (const extension of extensions) this.typeByExtension.delete(extension);
  }

  getViewCreatorByType(type: string): ViewCreator | null {
    return this.viewByType.get(type) ?? null;
  }

  getTypeByExtension(extension: string): string | null {
    return this.typeByExtension.get(extension) ?? null;
  }

  isExtensionRegistered(extension: string): boolean {
    return this.typeByExtension.has(extension);
  }
}

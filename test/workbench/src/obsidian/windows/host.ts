/** What the widgets ask of the running app, and the place where widgets without an `app` argument find it. */
import type { Keymap, Scope } from '../base/scope';
import type { SecretStorage } from '../settings/secret-storage';

export interface WidgetVault {
  getFiles(): { path: string }[];
  getAllFolders(includeRoot?: boolean): { path: string }[];
  getConfig?(key: string): unknown;
  setConfig?(key: string, value: unknown): void;
}

export interface WidgetApp {
  keymap: Pick<Keymap, 'pushScope' | 'popScope'>;
  scope: Scope;
  vault: WidgetVault;
  secretStorage: SecretStorage;
}

let current: WidgetApp | null = null;

/** Menus and hover popovers are built without an app; the last app set here serves their keyboard scopes. */
export function setWidgetApp(app: WidgetApp | null): void {
  current = app;
}

export function getWidgetApp(): WidgetApp | null {
  return current;
}

/** The app of this page, for the few functions of the API that take none. */
import type { App } from './app';

let current: App | null = null;

export function setCurrentApp(app: App | null): void {
  current = app;
}

export function getCurrentApp(): App {
  if (!current) throw new Error('No emulated app is running');
  return current;
}

/** The browser as test files reach it; the test process holds it (`scripts/jest/browser-runner.mjs`). */
import type * as shared from './shared-browser';

export type { Look, Seat } from './shared-browser';

declare global {
  var testBrowser: typeof shared;
}

export const { builtFolders, hearOutside, leaveSeat, newContext, onReading, screenOfRow, takeSeat } =
  globalThis.testBrowser;

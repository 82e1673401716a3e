/** What scripts and tests use of the workbench server. */
export { readManifest, readServeArguments, serve, serveFlags, serveHelp, UserError } from './serve';
export type { ServeSettings, ServeArguments } from './serve';
export { startWorkbench } from './start-workbench';
export type { Workbench, WorkbenchOptions, WorkbenchSettings } from './start-workbench';
export { copyVault } from './vault-copy';
export { listVault, readEntryStat, type EntryStat, type ListedEntry } from './vault-listing';
export type { Interception } from './vault-socket';

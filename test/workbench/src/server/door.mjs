// The door obsidian-workbench/server for Node, which reads no TypeScript: the server is compiled when this is loaded.
import { pageFolder } from '../build/index.mjs';
import { importSource } from '../build/import-source.mjs';

const server = await importSource('src/server/index.ts', 'server');

export const { copyVault, listVault, readEntryStat } = server;
export const { readManifest, readWishes, serve, serveFlags, serveHelp, UserError } = server;

export const startWorkbench = (settings) => server.startWorkbench({ assets: pageFolder, ...settings });

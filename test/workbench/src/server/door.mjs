// Entry point obsidian-workbench/server for Node, which cannot read TypeScript: loading it compiles the server.
import { pageFolder } from '../build/index.mjs';
import { importSource } from '../build/import-source.mjs';

const server = await importSource('src/server/index.ts', 'server');

export const { copyVault, listVault, readEntryStat } = server;
export const { readManifest, readServeArguments, serve, serveFlags, serveHelp, UserError } = server;

export const startWorkbench = (settings) => server.startWorkbench({ assets: pageFolder, ...settings });

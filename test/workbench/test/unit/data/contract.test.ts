import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ContractContext } from '../../../src/contract/vault-contract';
import { expected, runCase, runContract, vaultContract } from '../../../src/contract/vault-contract';
import * as text from '../../../src/obsidian/base/text';
import type { EmulatedAdapter } from '../../../src/obsidian/vault/adapter';
import { createChaos } from '../../../src/obsidian/vault/chaos';
import { FileManager } from '../../../src/obsidian/vault/file-manager';
import { TFile, TFolder } from '../../../src/obsidian/vault/files';
import { FolderAdapter } from '../../../src/obsidian/vault/folder-adapter';
import { openSocketLine } from '../../../src/obsidian/vault/server-line';
import * as links from '../../../src/obsidian/index/links';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { MetadataCache } from '../../../src/obsidian/index/metadata-cache';
import { Vault } from '../../../src/obsidian/vault/vault';
import * as yaml from '../../../src/obsidian/index/yaml';
import type { WebSocket } from 'ws';
import { connectTo, openServer, type OpenedServer } from '../server/open-server';

async function openContext(adapter: EmulatedAdapter, seed: number | null = null): Promise<ContractContext> {
  const vault = new Vault(adapter, { chaos: createChaos(seed) });
  const metadataCache = new MetadataCache(vault);
  await vault.load();
  const fileManager = new FileManager({ vault, metadataCache });
  await vault.createFolder('Contract');
  return {
    app: { vault, metadataCache, fileManager },
    folder: 'Contract',
    obsidian: { TFile, TFolder, ...text, ...links, ...yaml },
  };
}

// RECORD_CONTRACT=1 writes down what the emulator answers now; the difference is then read like any other change.
if (process.env.RECORD_CONTRACT) {
  it('is recorded', async () => {
    const observations = await runContract(await openContext(new MemoryAdapter()));
    const target = path.join(__dirname, '../../../src/contract/expected-observations.json');
    writeFileSync(target, `${JSON.stringify(observations, null, 2)}\n`);
  });
}

it('has an expected observation for each case, and cases of different names', () => {
  const names = vaultContract.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(expected)).toEqual(names);
});

describe('over memory', () => {
  it.each(vaultContract)('$name', async (one) => {
    expect(await runCase(one, await openContext(new MemoryAdapter()))).toEqual(expected[one.name]);
  });

  it('runs as a whole and leaves nothing behind', async () => {
    const adapter = new MemoryAdapter({ files: { 'own.md': 'kept' } });
    expect(await runContract(await openContext(adapter))).toEqual(expected);
    expect(adapter.paths().sort()).toEqual(['.trash', 'own.md']);
  });
});

describe('over a folder', () => {
  let server: OpenedServer;
  beforeAll(async () => {
    server = await openServer();
  });
  afterAll(() => server.tearDown());

  it('gives the same observations', async () => {
    const sockets: WebSocket[] = [];
    const line = openSocketLine(() => {
      const socket = connectTo(server);
      sockets.push(socket);
      return socket as unknown as globalThis.WebSocket;
    });
    const adapter = new FolderAdapter({ line });
    expect(await runContract(await openContext(adapter))).toEqual(expected);
    expect(sockets).toHaveLength(1);
    sockets[0]?.terminate();
  }, 30_000);
});

/** The workbench is a package: Docent imports only its entry points, and it imports nothing of Docent. */
import { expectNoFaults } from './expect-no-faults';
import { faultsBetween, type Manifest, readManifest, readRepository } from './workbench-doors';

const manifest: Manifest = {
  name: 'obsidian-workbench',
  exports: { './jest': './src/jest.ts', './server': './src/server.ts' },
  dependencies: { ws: '1.0.0', '@codemirror/view': '1.0.0' },
  devDependencies: { 'playwright-core': '1.0.0' },
};
const faultsOf = (path: string, text: string): string[] => faultsBetween([{ path, text }], manifest);

it('is entered by its doors only, and imports nothing of Docent', () => {
  // One contains faults as examples, one reads the options of all commands.
  const apart = ['test/unit/workbench-doors.test.ts', 'test/unit/docs/places.test.ts'];
  const sources = readRepository().filter(({ path }) => !apart.includes(path));
  expectNoFaults(faultsBetween(sources, readManifest()));
  expect(sources.filter(({ path }) => path.startsWith('test/workbench/src/')).length).toBeGreaterThan(150);
  expect(sources.filter(({ text }) => text.includes("from 'obsidian-workbench/")).length).toBeGreaterThan(40);
});

describe('a fault is told in one sentence', () => {
  const doors = 'take it from one of its doors, obsidian-workbench/jest, obsidian-workbench/server.';

  it.each([
    ["import { App } from '../workbench/src/app';", '../workbench/src/app'],
    ["const { App } = await import('../workbench/src/app');", '../workbench/src/app'],
    ["const app = require('../workbench/src/app');", '../workbench/src/app'],
    ["export * from '../workbench/src/app';", '../workbench/src/app'],
    ["jest.mock('../workbench/src/app');", '../workbench/src/app'],
    ["import type { App } from 'obsidian-workbench/src/app';", 'obsidian-workbench/src/app'],
    ["import 'obsidian-workbench';", 'obsidian-workbench'],
  ])('for %s outside', (text, name) => {
    expect(faultsOf('test/unit/a.test.ts', text)).toEqual([
      `test/unit/a.test.ts imports ${name} out of the workbench: ${doors}`,
    ]);
  });

  it('for a path of one of its files', () => {
    expect(faultsOf('scripts/a.mjs', "const file = path.join(root, 'test/workbench/theme/base.css');")).toEqual([
      `scripts/a.mjs names workbench/theme/base.css, a file of the workbench: ${doors}`,
    ]);
  });

  it('for what the workbench takes of Docent, or does not declare', () => {
    const path = 'test/workbench/src/app.ts';
    expect(faultsOf(path, "import { words } from '../../../src/text';")).toEqual([
      `${path} imports src/text, but the workbench knows nothing of Docent.`,
    ]);
    expect(faultsOf(path, "import { chromium } from 'playwright-core';")).toEqual([
      `${path} imports playwright-core, which test/workbench/package.json does not let it: declare it there.`,
    ]);
    expect(faultsOf(path, "throw new Error('Docent is not open.');")).toEqual([
      `${path} names Docent: what a message calls a plugin stands in its manifest.`,
    ]);
  });

  it('and nothing is said of what is allowed', () => {
    expect(faultsOf('test/unit/a.test.ts', "import { createTestApp } from 'obsidian-workbench/jest';")).toEqual([]);
    expect(faultsOf('test/e2e/a.ts', "import { openWorkbench } from '../driver/workbench';")).toEqual([]);
    const inside = ["import path from 'node:path';", "import { Text } from '@codemirror/view';", "import './b';"];
    expect(faultsOf('test/workbench/src/a.ts', inside.join('\n'))).toEqual([]);
    expect(faultsOf('test/workbench/test/a.ts', "import type { Page } from 'playwright-core';")).toEqual([]);
  });
});

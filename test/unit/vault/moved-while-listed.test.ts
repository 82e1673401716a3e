/** @jest-environment jsdom */
import 'obsidian-workbench/jest';
import { VaultChanges } from '../../../src/vault/changes';
import { FileTable } from '../../../src/vault/file-table';
import { openStack } from '../../../src/vault/stack';
import { EventApp } from '../../bench/vault/event-app';
import { ownsNothing } from '../../support/memory-ports';

const count = 6_000;

function fill() {
  const host = new EventApp();
  for (let at = 0; at < count; at += 1) host.create(`Notes/${String(at).padStart(5, '0')}.md`, at);
  host.create('private/Other.md', 1);
  host.events.length = 0;
  const changes = new VaultChanges(host.app, () => false);
  changes.start(() => undefined);
  return { host, changes };
}

describe('a note that moves into another folder while the first list is made', () => {
  it('is in its place in the list, once', () => {
    const { host, changes } = fill();
    const table = new FileTable(host.app, changes);
    const steps = table.prepare();
    for (let step = 0; steps.next().done !== true; step += 1) {
      // Before and after the notes that the step listed.
      host.rename(`Notes/${String(count - 1 - step).padStart(5, '0')}.md`, `private/Late ${step}.md`);
      host.rename(`Notes/${String(step).padStart(5, '0')}.md`, `private/Early ${step}.md`);
      host.deliver();
    }
    expect(table.files().map(({ path }) => path)).toEqual([...host.files.keys()].sort());
    changes.stop();
  });

  it('is hidden if that folder is', async () => {
    const { host, changes } = fill();
    const { vault, prepare } = openStack(host.app, changes, ownsNothing, () => rules);
    const prepared = prepare(new AbortController().signal);
    host.rename(`Notes/${String(count - 1).padStart(5, '0')}.md`, 'private/Moved.md');
    host.deliver();
    await prepared;
    const paths = vault.files().map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('private/'))).toEqual([]);
    expect(paths).toHaveLength(count - 1);
    changes.stop();
  });
});

const rules = { keptFolders: ['private'], keptTags: [] };

/** @jest-environment jsdom */
import 'obsidian-workbench/jest';
import { expectSoon } from 'obsidian-workbench/testing/cost';
import { VaultChanges } from '../../../src/vault/changes';
import { FileTable } from '../../../src/vault/file-table';
import { openStack } from '../../../src/vault/stack';
import { EventApp } from '../../bench/vault/event-app';
import { ownsNothing } from '../../support/memory-ports';

function fill(count: number) {
  const host = new EventApp();
  for (let at = 0; at < count; at += 1) host.create(`Folder ${at % 90}/Note ${(at * 7_919) % count}.md`, at);
  host.events.length = 0;
  const changes = new VaultChanges(host.app, () => false);
  changes.start(() => undefined);
  return { host, changes };
}

/** What `files` and `folders` are when they are made at once. */
function atOnce({ host, changes }: ReturnType<typeof fill>) {
  const table = new FileTable(host.app, changes);
  return { files: table.files(), folders: table.folders() };
}

const count = 20_000;

describe('the first list of files', () => {
  it('is sorted by path as texts are, whatever the names of folders begin with', () => {
    const host = new EventApp();
    const paths = ['b.md', 'b/c.md', 'b-c/d.md', 'b c/d.md', 'b/c/d.md', 'B.md', 'b/c-d.md', 'é/a.md', 'z.md'];
    paths.forEach((path) => host.create(path, 1));
    const changes = new VaultChanges(host.app, () => false);
    changes.start(() => undefined);
    expect(new FileTable(host.app, changes).files().map(({ path }) => path)).toEqual([...paths].sort());
    changes.stop();
  });

  it('is the same when it is made in steps while files come, go, and take the places of others', () => {
    const world = fill(2 * count);
    const { host, changes } = world;
    const table = new FileTable(host.app, changes);
    const steps = table.prepare();
    const paths = [...host.files.keys()];
    let taken = 0;
    for (; steps.next().done !== true; taken += 1) {
      const path = (at: number): string => paths[(taken * 1_009 + at * 6_007) % paths.length] ?? '';
      // The other file may be in the list already, or come to be in it twice.
      const [from, to] = [path(1), path(2)];
      host.remove(to);
      host.rename(from, to);
      host.remove(path(3));
      host.create(`Folder 5/New ${taken}.md`, 5);
      host.modify(path(4), 9, 9);
      host.deliver();
    }
    expect(taken).toBeGreaterThan(10);
    expect(table.files()).toEqual(atOnce(world).files);
    expect(table.folders()).toEqual(atOnce(world).folders);
    expect(new Set(table.files().map(({ path }) => path)).size).toBe(host.files.size);
    changes.stop();
  });

  it('is complete for who asks for it before its last step', () => {
    const world = fill(count);
    const table = new FileTable(world.host.app, world.changes);
    const steps = table.prepare();
    steps.next();
    expect(table.files()).toEqual(atOnce(world).files);
    while (steps.next().done !== true);
    expect(table.files()).toEqual(atOnce(world).files);
    expect(table.twinOf('folder 0/NOTE 0.md')).toBe('Folder 0/Note 0.md');
    world.changes.stop();
  });

  it('takes no long step over a folder that has all of the notes itself', async () => {
    const host = new EventApp();
    for (let at = 0; at < 100_000; at += 1) host.create(`All of my notes/Note ${(at * 7_919) % 100_000}.md`, at);
    host.events.length = 0;
    const changes = new VaultChanges(host.app, () => false);
    changes.start(() => undefined);
    const world = { host, changes };
    await expectSoon(50, () => {
      const table = new FileTable(host.app, changes);
      const steps = table.prepare();
      let longest = 0;
      for (let isDone = false; !isDone;) {
        const start = process.cpuUsage();
        isDone = steps.next().done === true;
        const { user, system } = process.cpuUsage(start);
        longest = Math.max(longest, (user + system) / 1_000);
      }
      expect(table.files()).toEqual(atOnce(world).files);
      return Promise.resolve(longest);
    });
    const paths = atOnce(world).files.map(({ path }) => path);
    expect(paths).toEqual([...host.files.keys()].sort());
    changes.stop();
  });

  it('is asked of the app once, and shows no note that hid itself in between', async () => {
    const { host, changes } = fill(count);
    let asked = 0;
    const { getRoot } = host.app.vault;
    host.app.vault.getRoot = () => {
      asked += 1;
      return getRoot();
    };
    const stack = openStack(host.app, changes, ownsNothing);
    const [first = ''] = [...host.files.keys()].sort();
    host.records.set(first, { frontmatter: {} });
    const prepared = stack.prepare(new AbortController().signal);
    let turns = 0;
    const hide = (): void => {
      turns += 1;
      if (turns === 6) {
        host.index(first, { frontmatter: { docent: false } });
        host.deliver();
      } else setTimeout(hide, 0);
    };
    hide();
    await prepared;
    while (turns < 6) await new Promise((resolve) => setTimeout(resolve, 0));
    expect(stack.vault.files().map(({ path }) => path)).not.toContain(first);
    expect(stack.vault.files()).toHaveLength(count - 1);
    expect(asked).toBe(1);
    changes.stop();
  });
});

/** Writing as a person meets it: one review a turn, half of it applied, all of it undone, with the folder looked at byte for byte. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openPane, until, type OpenedPane } from './pane';
import { chaosSeeds, openWorkbench, type OpenedWorkbench, type OpenOptions } from './workbench';
import type { Script, ScriptedToolCall } from '../workbench/scripted-model';

jest.setTimeout(180_000);

const linking = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `Log/Day ${index + 1}.md`,
    `# Day ${index + 1}\r\n\r\nSaw [[Heron|the heron]] and ![[Heron#Rig]] at ${index} knots.`,
  ]),
);
const vault: Record<string, string> = {
  ...linking,
  'Heron.md': '# Heron\n\nA clinker dinghy.\n\n## Rig\n\nLugsail.\n',
  'Crew.md': '\ufeff---\nrole: crew\n---\n# Crew\r\n\r\nRui steers.\r\n\r\nMhairi bails.\r\n\r\nPawel sings.',
  'Stores.md': '| What | How many |\n|---|---|\n| Rope | 3 |\n| Buckets | 2 |\n',
  'Plan.md': '# Plan\n\n- [ ] Caulk the seams\n- [ ] Paint the hull\n',
  'Scrap.md': 'Nothing of worth.\n',
};
const linkSettings = { alwaysUpdateLinks: true };

const changing: readonly ScriptedToolCall[] = [
  { name: 'edit_note', arguments: { path: 'Crew.md', oldText: 'Rui steers.', newText: 'Rui navigates.' } },
  { name: 'edit_note', arguments: { path: 'Crew.md', oldText: 'Pawel sings.', newText: 'Pawel cooks.' } },
  { name: 'edit_note', arguments: { path: 'Stores.md', oldText: '| Rope | 3 |', newText: '| Rope | 5 |' } },
  { name: 'append_to_note', arguments: { path: 'Plan.md', text: '- [ ] Launch' } },
  { name: 'move_note', arguments: { path: 'Heron.md', newPath: 'Boats/Grey heron.md' } },
  { name: 'delete_note', arguments: { path: 'Scrap.md' } },
];

/** Reads everything first, then makes all changes in one answer. */
const script: Script = ({ index }) => {
  const paths = ['Crew.md', 'Stores.md', 'Plan.md', 'Heron.md', 'Scrap.md'];
  if (index === 0) return { toolCalls: [{ name: 'read_notes', arguments: { paths } }] };
  if (index === 1) return { toolCalls: changing };
  return { text: 'Proposed.' };
};

/** Every file of the vault but those of the app and of Docent, as bytes. */
async function treeOf({ vaultFolder }: OpenedWorkbench): Promise<Record<string, string>> {
  const names = await readdir(vaultFolder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(vaultFolder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/^\.|^Docent\//.test(name))
    .sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(vaultFolder, name), 'latin1')));
  return Object.fromEntries(files.map((name, index) => [name, texts[index] ?? '']));
}

async function openWith(options: OpenOptions, appSettings: Record<string, unknown> = linkSettings) {
  const files = { ...vault, '.obsidian/app.json': JSON.stringify(appSettings) };
  return openWorkbench({ vault: files, scripted: script, ...options });
}

const card = (pane: OpenedPane) => pane.root.locator('.docent-review');
const press = (pane: OpenedPane, name: RegExp | string) => pane.root.getByRole('button', { name }).first().click();
const applied = (pane: OpenedPane) =>
  card(pane)
    .getByText(/Applied to/)
    .first()
    .waitFor({ timeout: 60_000 });
const undone = (pane: OpenedPane) =>
  card(pane)
    .getByText(/Undone in/)
    .first()
    .waitFor({ timeout: 60_000 });

async function withoutPawel(pane: OpenedPane): Promise<void> {
  await card(pane).getByRole('checkbox', { name: 'Accept line 10 of Crew' }).uncheck();
}

function withHunks(before: Record<string, string>, moved = true): Record<string, string> {
  const { 'Heron.md': heron = '', 'Scrap.md': _scrap, ...rest } = before;
  const replaced = Object.entries(rest).map(([name, text]) => [
    name,
    name.startsWith('Log/') && moved
      ? text.replace('[[Heron|the heron]]', '[[Grey heron|the heron]]').replace('[[Heron#Rig]]', '[[Grey heron#Rig]]')
      : text,
  ]);
  return Object.fromEntries(
    Object.entries({
      ...(Object.fromEntries(replaced) as Record<string, string>),
      'Boats/Grey heron.md': heron,
      'Crew.md': (before['Crew.md'] ?? '').replace('Rui steers.', 'Rui navigates.'),
      'Stores.md': (before['Stores.md'] ?? '').replace('| Rope | 3 |', '| Rope | 5 |'),
      'Plan.md': `${before['Plan.md']}- [ ] Launch\n`,
    }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe.each([
  ['desktop', {}],
  ['phone', { phone: true }],
] as const)('on a %s', (name, options) => {
  let workbench: OpenedWorkbench;

  afterEach(async () => {
    expect(workbench.errors).toEqual([]);
    expect(workbench.outsideRequests).toEqual([]);
    await workbench.close();
  });

  it('R058 R220 shows one review, applies only what is accepted, and undoes it byte for byte', async () => {
    workbench = await openWith(options);
    const pane = await openPane(workbench);
    const before = await treeOf(workbench);
    await pane.ask('Bring the notes up to date.');
    await card(pane).waitFor();
    expect(await card(pane).count()).toBe(1);
    expect(await treeOf(workbench)).toEqual(before);
    await withoutPawel(pane);
    await workbench.screenshot(`writing-${name}-waiting`);
    await press(pane, /^Apply/);
    await applied(pane);
    expect(await treeOf(workbench)).toEqual(withHunks(before));
    await workbench.screenshot(`writing-${name}-applied`);
    await press(pane, 'Undo all');
    await undone(pane);
    expect(await treeOf(workbench)).toEqual(before);
    await press(pane, 'Redo all');
    await applied(pane);
    expect(await treeOf(workbench)).toEqual(withHunks(before));
  });
});

describe('a review', () => {
  let workbench: OpenedWorkbench;

  afterEach(async () => {
    expect(workbench.errors).toEqual([]);
    await workbench.close();
  });

  it('survives a reload, tells the model of a rejection, and leaves the folder as it was', async () => {
    workbench = await openWith({});
    let pane = await openPane(workbench);
    const before = await treeOf(workbench);
    await pane.ask('Bring the notes up to date.');
    await card(pane).waitFor();
    await workbench.reload();
    pane = await openPane(workbench);
    await card(pane).waitFor();
    await press(pane, /^Reject all/);
    await card(pane).getByRole('textbox').fill('Not this week.');
    await card(pane).getByRole('textbox').press('Enter');
    await card(pane)
      .getByText(/Rejected/)
      .first()
      .waitFor();
    expect(await treeOf(workbench)).toEqual(before);
    await pane.ask('Why not?');
    expect(JSON.stringify(workbench.model?.requests.at(-1)?.body)).toContain('Not this week.');
  });

  it('keeps what is typed into an open note and not yet saved, when it applies and when it is undone', async () => {
    workbench = await openWith({});
    const pane = await openPane(workbench);
    await pane.ask('Bring the notes up to date.');
    await card(pane).waitFor();
    const before = await treeOf(workbench);
    await workbench.page.evaluate(async () => {
      await window.app.workspace.openLinkText('Plan.md', '', false);
      window.app.workspace.activeEditor?.editor?.replaceRange('Typed. ', { line: 2, ch: 6 });
    });
    const typed = (before['Plan.md'] ?? '').replace('- [ ] Caulk', '- [ ] Typed. Caulk');
    await press(pane, /^Apply/);
    await applied(pane);
    expect((await treeOf(workbench))['Plan.md']).toBe(`${typed}- [ ] Launch\n`);
    await press(pane, 'Undo all');
    await undone(pane);
    expect(await treeOf(workbench)).toEqual({ ...before, 'Plan.md': typed });
  });

  it('says that links stay when the user has link updating off, and leaves them', async () => {
    workbench = await openWith({}, { alwaysUpdateLinks: false, neverUpdateLinks: true });
    const pane = await openPane(workbench);
    const before = await treeOf(workbench);
    await pane.ask('Bring the notes up to date.');
    await card(pane).waitFor();
    expect(await card(pane).innerText()).toMatch(/set to leave links as they are/);
    await withoutPawel(pane);
    await press(pane, /^Apply/);
    await applied(pane);
    expect(await treeOf(workbench)).toEqual(withHunks(before, false));
    await press(pane, 'Undo all');
    await undone(pane);
    expect(await treeOf(workbench)).toEqual(before);
  });
});

describe.each(chaosSeeds())('seed %i', (chaosSeed) => {
  it('applies what is accepted and undoes it byte for byte, whatever the app does', async () => {
    const workbench = await openWith({ chaosSeed });
    const pane = await openPane(workbench);
    const before = await treeOf(workbench);
    await pane.ask('Bring the notes up to date.');
    await card(pane).waitFor();
    await withoutPawel(pane);
    await press(pane, /^Apply/);
    await applied(pane);
    const after = await treeOf(workbench);
    const wanted = withHunks(before);
    expect(Object.keys(after)).toEqual(Object.keys(wanted));
    for (const file of ['Crew.md', 'Stores.md', 'Plan.md', 'Boats/Grey heron.md'])
      expect(after[file]).toBe(wanted[file]);
    await press(pane, 'Undo all');
    await undone(pane);
    await until(
      async () => JSON.stringify(await treeOf(workbench)) === JSON.stringify(before),
      'all is as before',
      15_000,
    );
    expect(workbench.errors).toEqual([]);
    await workbench.close();
  });
});

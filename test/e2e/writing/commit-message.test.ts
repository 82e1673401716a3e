/** Writing a commit message in the built plugin, over a real repository: what is sent, and what is refused. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openChatView } from '../driver/chat-view';
import { allText, lastSent, sentRequests } from '../driver/sent-request';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';
import type { Script } from '../../support/model-server';

jest.setTimeout(180_000);

const describeWithGit = spawnSync('git', ['--version']).status === 0 ? describe : describe.skip;
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
let workbench: OpenedWorkbench;
const git = (...parameters: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...parameters], {
    ...{ cwd: workbench.vaultFolder, encoding: 'utf8', env: environment, stdio: 'pipe' },
  });
const onDisk = (name: string): string => path.join(workbench.vaultFolder, name);
const modal = () => workbench.page.locator('.docent-commit-modal');

const vault = {
  'Boat.md': 'The keel is sound.\n',
  'Old name.md': 'One line.\nAnother line.\nA third line.\n',
  'Private/Diary.md': 'Nobody reads this.\n',
  'Attic.md': '---\ndocent: false\n---\nThe marmalade cupboard.\n',
};

const answer: Script = () => ({ text: 'edit: the keel is bent', usage: { input: 20_000, output: 3_000 } });

describeWithGit.each([
  ['computer', {}],
  ['phone', { phone: true }],
] as const)('a commit message on a %s', (name, options) => {
  beforeAll(async () => {
    // One message costs $0.50, so that a dialog may ask for one and not for two.
    const modelFacts = { 'openai-compatible/scripted': { inputPrice: 10, outputPrice: 100 } };
    const settings = { keptFolders: ['Private'], modelFacts, spendingLimit: 0.501 };
    workbench = await openWorkbench({ vault, scripted: answer, settings, ...options });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'x');
    git('gc', '-q');
    // The plugin looks for a repository when its view first opens.
    await openChatView(workbench);
  });

  beforeEach(() => workbench.model?.setScript(answer));

  afterEach(async () => {
    await workbench.page.keyboard.press('Escape');
    await modal().waitFor({ state: 'detached' });
  });

  afterAll(() => workbench.close());

  it(`R232@request R232@dom sends what changed, without what is hidden, and shows the message (${name})`, async () => {
    for (const [note, text] of Object.entries(vault)) writeFileSync(onDisk(note), `${text}Changed marmalade.\n`);
    writeFileSync(onDisk('Boat.md'), 'The keel is bent.\n');
    rmSync(onDisk('Old name.md'));
    const index = readFileSync(onDisk('.git/index'));
    await workbench.command('write-commit-message');
    await modal().getByRole('textbox').waitFor();
    expect(await modal().getByRole('textbox').inputValue()).toBe('edit: the keel is bent');
    expect(await modal().innerText()).toContain('2 files are left out');
    const sent = allText(lastSent(workbench.model));
    expect(sent).toContain('-The keel is sound.\n+The keel is bent.');
    expect(sent).toContain('deleted: Old name.md');
    expect(sent).not.toMatch(/marmalade|Diary|Attic|Nobody reads/);
    expect(readFileSync(onDisk('.git/index')).equals(index)).toBe(true);
  });

  if (name === 'phone') return;

  it('R231@request R231@dom asks for no message that would cost more than the limit, also with those before it', async () => {
    writeFileSync(onDisk('Boat.md'), 'The keel is bent.\n');
    await workbench.command('write-commit-message');
    await modal().getByRole('textbox').waitFor();
    const before = sentRequests(workbench.model).length;
    await modal().getByRole('button', { name: 'Write again' }).click();
    const alert = modal().getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/^The answers in this dialog have cost \$[\d.]+, and sending this/);
    expect(sentRequests(workbench.model).length).toBe(before);
  });

  it('R232@dom starts no program that the repository names, and says what is missing', async () => {
    const mark = onDisk('started');
    for (const file of readdirSync(onDisk('.git/objects/pack'))) rmSync(onDisk(`.git/objects/pack/${file}`));
    git('config', 'core.repositoryformatversion', '1');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'remote.origin.url', 'file:///nowhere');
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.uploadpack', `sh -c 'touch "${mark}"' #`);
    writeFileSync(onDisk('Boat.md'), 'The keel is bent.\n');
    await workbench.command('write-commit-message');
    const alert = modal().getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(
      /^Part of this repository is missing, as in a partial clone: [0-9a-f]{10}\./,
    );
    expect(existsSync(mark)).toBe(false);
    expect(sentRequests(workbench.model)).toEqual([]);
  });
});

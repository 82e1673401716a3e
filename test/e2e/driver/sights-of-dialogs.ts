/** The sights of what opens over the app or in a note: servers, sign-in, instruction files, commit message, and rewrite. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { startSignInServer, type SignInServer } from '../../support/mcp-server/sign-in-server';
import { readRequest, type Script } from '../../support/model-server';
import { beginAgain } from './begin-again';
import type { OpenedChatView } from './chat-view';
import { openSettingsWindow } from './settings-window';
import { modal, settingsTab, view, type App, type Visit } from './sights';
import type { OpenedWorkbench } from './workbench';

const passage = 'Rui steers by day, and Mhairi bails when it rains.';
const vault: Record<string, string> = {
  'Crew.md': `# Crew\n\n${passage}\n\nPawel sings all the time.\n\n${'The sea is green.\n\n'.repeat(20)}`,
  'Stores.md': 'Rope: 3\n',
};
const instructionFiles: Record<string, string> = {
  'AGENTS.md': `Write like a heron.\n\n${'Wade slowly, and look twice before each step. '.repeat(30)}\n`,
  'Docent/prompts/Weekly review of everything that happened on the boat.md': 'Look back like a crow.\n',
};

const hasGit = spawnSync('git', ['--version']).status === 0;

/** What the model does, by the message. */
const script: Script = (request) => {
  const last = readRequest(request).messages.at(-1);
  const text = last?.text ?? '';
  if (last?.results.length === 0 && text.includes('Ask the harbour')) {
    return { toolCalls: [{ name: 'boats_tides', arguments: { harbour: 'Kirkwall' } }] };
  }
  if (text.includes('Fail')) return { status: 401 };
  if (text.includes('Slowly')) return { text: 'Rui steers by night, and so on. '.repeat(100), delayMs: 30 };
  if (text.includes('Crew.md')) return { text: 'Rui navigates by day, and Mhairi bails in the rain.' };
  return { text: 'Tell who bails\n\nMhairi bails when it rains, and the rope is counted once more.' };
};

/** Puts the vault of an app under the versions of Git before its chat view opens: then the plugin looks for them. */
export function beginVersions({ vaultFolder }: OpenedWorkbench): void {
  if (hasGit) runGit(vaultFolder, 'init', '-q');
}

function runGit(folder: string, ...parameters: string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...parameters], {
    cwd: folder,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

/** Visits every sight of an app that is open. */
export async function walkDialogs(app: App, _: boolean, visit: Visit): Promise<void> {
  const { workbench, chatView } = app;
  const server = await startSignInServer({
    session: true,
    tools: [{ name: 'tides', description: 'Tells the tides.' }],
  });
  try {
    const mcpServers = [{ name: 'boats', url: server.url, keyName: '', isOn: true }];
    await beginAgain(app, { vault, scripted: script, settings: { mcpServers } });
    if (hasGit) runGit(workbench.vaultFolder, 'add', 'Crew.md', 'Stores.md');
    if (hasGit) runGit(workbench.vaultFolder, 'commit', '-q', '-m', 'x');
    await new DialogWalk(workbench, chatView, server, visit).walk();
  } finally {
    await server.close();
  }
}

class DialogWalk {
  constructor(
    private readonly workbench: OpenedWorkbench,
    private readonly chatView: OpenedChatView,
    private readonly server: SignInServer,
    private readonly look: Visit,
  ) {}

  private readonly visit = (sight: string, roots: string): Promise<void> =>
    this.look(this.workbench.page, sight, roots);

  private named(name: string): Locator {
    return this.workbench.page.locator('.modal').last().getByRole('button', { name, exact: true });
  }

  async walk(): Promise<void> {
    // In a magnified window, there is no room for two sidebars.
    await this.workbench.page.evaluate(() => window.app.workspace.leftSplit.collapse());
    await this.serverForm();
    await this.signIn();
    await this.instructionFiles();
    if (hasGit) await this.commitMessage();
    await this.rewrite();
  }

  private async serverForm(): Promise<void> {
    const { visit, workbench } = this;
    const form = workbench.page.locator('.docent-server-modal');
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(words.settings.pages.servers.name);
    await visit('server that wants to be connected', settingsTab);
    await settings.row('boats').getByLabel(words.serverSettings.edit('boats')).click();
    await form.waitFor();
    await visit('form of a server', modal);
    await form.getByLabel(words.serverSettings.form.name, { exact: true }).fill('no good name');
    await form.getByLabel(words.serverSettings.form.url, { exact: true }).fill('http://user:pass@example.org');
    await this.named(words.serverSettings.form.save).click();
    await form.getByText(words.serverSettings.form.nameBad).waitFor();
    await visit('form of a server, with what is wrong', modal);
    await this.named(words.serverSettings.form.cancel).click();
    await form.waitFor({ state: 'detached' });
    await settings.close();
  }

  private async signIn(): Promise<void> {
    const { chatView, server, visit, workbench } = this;
    const { page } = workbench;
    const say = words.signIn;
    const dialog = page.locator('.docent-sign-in');
    server.set({ registers: 'none' });
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(words.settings.pages.servers.name);
    const row = settings.row('boats');
    await row.getByRole('button', { name: words.serverSettings.connect }).click();
    await row.getByText(words.remote.signInWanted('boats')).waitFor();
    await visit('server that wants a sign-in', settingsTab);
    await row.getByRole('button', { name: say.signIn, exact: true }).click();
    await this.named(words.gate.allow).waitFor();
    await visit('sign-in that asks to connect', modal);
    await this.named(words.gate.allow).click();
    await dialog.getByLabel(say.client, { exact: true }).waitFor();
    await visit('sign-in that needs a client', modal);
    await this.named(say.cancel).click();
    server.set({ registers: 'all' });
    await row.getByRole('button', { name: say.signIn, exact: true }).click();
    await this.named(say.open).waitFor();
    await visit('sign-in', modal);
    await this.named(say.done).click();
    await dialog.getByText(/contains “code” and “state”/).waitFor();
    await visit('sign-in, with a wrong address', modal);
    const isPage = (response: { url(): string }): boolean => new URL(response.url()).pathname === '/authorize';
    const answered = page.context().waitForEvent('response', { predicate: isPage });
    await this.named(say.open).click();
    const { location = '' } = (await answered).headers();
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await dialog.getByRole('textbox', { name: say.paste }).fill(location);
    await this.named(say.done).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText(say.states.in).waitFor();
    // It would cover the buttons of the chat view.
    await page.locator('.notice').first().click();
    await page.locator('.notice').first().waitFor({ state: 'detached' });
    await visit('server that is signed in to', settingsTab);
    await row.getByRole('button', { name: words.serverSettings.look }).click();
    await page.locator('.docent-offer .mod-cta:enabled').click();
    await page.locator('.docent-offer').waitFor({ state: 'detached' });
    await settings.close();
    server.forgetAll();
    await chatView.send('Ask the harbour');
    await chatView.root.getByRole('button', { name: words.serverSettings.question.send, exact: true }).click();
    await chatView.root.getByText(say.notice('boats')).waitFor();
    await chatView.untilIdle();
    await visit('sign-in that is over', view);
  }

  private async instructionFiles(): Promise<void> {
    const { visit, workbench } = this;
    const { page } = workbench;
    const say = words.instructions;
    const dialog = page.locator('.docent-instructions-modal');
    const write = async (name: string, text: string): Promise<void> => {
      const file = path.join(workbench.vaultFolder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    };
    for (const [name, text] of Object.entries(instructionFiles)) await write(name, text);
    const notice = page.locator('.docent-instructions-notice');
    await notice.getByText(say.notice(2, '')).waitFor();
    await visit('notice of instruction files', view);
    await notice.click();
    await dialog.getByText('Write like a heron.').waitFor();
    await visit('instruction files', modal);
    await this.named(say.allowAll).click();
    await dialog.waitFor({ state: 'detached' });
    await write('AGENTS.md', 'Write like a crane.\n');
    await notice.getByText(say.noticeChanged('AGENTS.md')).waitFor();
    const settings = await openSettingsWindow(workbench);
    await (await settings.reach(say.title)).getByRole('button', { name: say.show }).click();
    await dialog.locator('ins').first().waitFor();
    await visit('instruction files that changed', modal);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await settings.close();
  }

  private async commitMessage(): Promise<void> {
    const { visit, workbench } = this;
    const { page } = workbench;
    const box = page.locator('.docent-commit-modal');
    for (const name of ['Crew.md', 'Stores.md']) await workbench.writeNote(name, `${vault[name] ?? ''}Rope: 4\n`);
    await workbench.command('write-commit-message');
    await box.getByRole('textbox').waitFor();
    await box.locator('summary').click();
    await visit('commit message', modal);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    for (const name of ['Crew.md', 'Stores.md']) await workbench.writeNote(name, vault[name] ?? '');
    await workbench.command('write-commit-message');
    await box.getByRole('alert').waitFor();
    await visit('commit message without changes', modal);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
  }

  private async rewrite(): Promise<void> {
    const { visit, workbench } = this;
    const { page } = workbench;
    const say = words.prompts;
    const box = page.locator('.docent-rewrite');
    const act = (name: string): Locator => box.getByRole('button', { name, exact: true });
    const sight = '.workspace-leaf.mod-active .cm-content';
    await page.evaluate(() => window.app.workspace.openLinkText('Crew.md', '', false));
    await page.locator(sight, { hasText: passage }).waitFor();
    const begin = async (): Promise<void> => {
      await page.evaluate((wanted) => {
        const editor = window.app.workspace.activeEditor?.editor;
        const at = editor?.getValue().indexOf(wanted) ?? 0;
        editor?.setSelection(editor.offsetToPos(at), editor.offsetToPos(at + wanted.length));
      }, passage);
      await workbench.command('rewrite-selection');
      await box.waitFor();
    };
    const ask = async (instruction: string): Promise<void> => {
      await box.getByLabel(say.rewriteInstruction).fill(instruction);
      await page.keyboard.press('Enter');
    };
    await begin();
    await visit('rewrite that asks', '.docent-rewrite');
    await ask('Slowly');
    await page.locator('.docent-rewrite-added').first().waitFor();
    await visit('rewrite that runs', '.docent-rewrite');
    await act(say.rewriteStop).click();
    await ask('Fail');
    await box.getByRole('alert').waitFor();
    await visit('rewrite that failed', '.docent-rewrite');
    await act(say.rewriteClose).click();
    await begin();
    await ask('Shorter');
    await act(say.rewriteRefine).click();
    await box.getByLabel(say.rewriteFurther).waitFor();
    await visit('rewrite to accept', '.docent-rewrite');
    await visit('rewrite in the text', '.workspace-leaf.mod-active .cm-line:has(.docent-rewrite-passage)');
    await page.evaluate(() => {
      const editor = window.app.workspace.activeEditor?.editor;
      editor?.setValue(editor.getValue().replace('by day', 'by night'));
    });
    await act(say.rewriteCopy).waitFor();
    await visit('rewrite of a text that changed', '.docent-rewrite');
    await act(say.rewriteClose).click();
  }
}

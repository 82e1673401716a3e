/** The questions that an answer asks the user: steps, a choice, a plan, untrusted text, and a note that is hidden. */
import path from 'node:path';
import { words } from '../../../src/text';
import { openChatView, openPicker, until } from '../driver/chat-view';
import { chatView, openLook, showChat, workbench } from '../driver/open-chat';
import { readFile, readdir } from '../driver/reach';
import { startChat } from '../driver/reach-walk';
import { allText, lastSent, sentRequests } from '../driver/sent-request';
import { closeQuiet, looks } from '../driver/workbench';
import { restoreNotes } from '../driver/writing-walk';
import { readRequest, type Script } from '../../support/model-server';

jest.setTimeout(180_000);

const vault: Record<string, string> = {
  'Crew.md': '# Crew\n\nRui steers.\n',
  'Web.md': '---\nsource: https://example.org/boats\n---\n\nClipped words about boats.\n',
};
const todos = [
  { text: 'Look at the crew', state: 'done' },
  { text: 'Choose a helmsman', state: 'doing' },
  { text: 'Write it down', state: 'open' },
];
const question = { question: 'Who steers from now on?', options: ['Rui', 'Mhairi'] };
const planPath = 'Docent/plans/Helm.md';

const presenting = { name: 'exit_plan_mode', arguments: { path: planPath } };
const planning = { name: 'create_note', arguments: { path: planPath, text: '# Helm\n\n1. Ask.\n2. Write.\n' } };

/** By the words of the newest message; results of tools are answered in words. */
const script: Script = (request) => {
  const last = readRequest(request).messages.at(-1);
  const asked = (said: string): boolean => last?.results.length === 0 && last.text.includes(said);
  if (asked('Who is to steer?')) {
    return {
      toolCalls: [
        { name: 'write_todos', arguments: { todos } },
        { name: 'ask_user', arguments: question },
      ],
    };
  }
  if (asked('Make ready for the helm.')) return { toolCalls: [planning] };
  if (last?.results[0]?.text.endsWith('Helm.md: Applied.') === true) return { toolCalls: [presenting] };
  if (asked('Revise it')) return { toolCalls: [presenting] };
  if (asked('clipped pages')) return { toolCalls: [{ name: 'read_note', arguments: { path: 'Web.md' } }] };
  return { text: 'So be it. See [[Crew]].' };
};

afterAll(() => closeQuiet(workbench));

describe.each(looks)('%s', (name, options) => {
  const group = (label: string) => chatView.root.getByRole('group', { name: label });
  const noteText = (file: string): Promise<string> => readFile(path.join(workbench.vaultFolder, file), 'utf8');

  beforeAll(() => openLook(options, { vault, scripted: script }));

  beforeEach(async () => {
    await restoreNotes(workbench, vault);
    // On a phone a note covers the chat view.
    await showChat();
    await startChat({ workbench, chatView });
  });

  it('R074 R075@dom shows the steps and a question, and sends the choice as the next message', async () => {
    await chatView.send('Who is to steer?');
    await group(question.question).waitFor();
    await chatView.untilIdle();
    expect(await chatView.root.locator('.docent-todo').allInnerTexts()).toHaveLength(3);
    expect(await chatView.root.locator('.docent-todo.is-doing').innerText()).toContain('Choose a helmsman');
    const before = sentRequests(workbench.model).length;
    await workbench.screenshot(`asking-${name}-question`);
    await group(question.question).getByRole('button', { name: 'Mhairi' }).click();
    await chatView.answers.getByText('So be it').waitFor();
    expect(sentRequests(workbench.model).length).toBe(before + 1);
    expect(lastSent(workbench.model).messages.at(-1)?.text).toContain('Mhairi');
    expect(await group(question.question).getByRole('button', { name: 'Rui' }).isDisabled()).toBe(true);
  });

  it('R078@dom R079 plans in Plan, asks for approval, and goes on in Review once it is given', async () => {
    await openPicker(chatView, 'permission');
    await workbench.page.locator('.menu .menu-item', { hasText: words.asking.permissions.plan }).first().click();
    await chatView.send('Make ready for the helm.');
    const plan = chatView.root.locator('.docent-question');
    await chatView.untilIdle();
    await plan.first().waitFor();
    expect(await noteText(planPath)).toBe('# Helm\n\n1. Ask.\n2. Write.\n');
    expect(lastSent(workbench.model).tools).not.toContain('move_note');
    await workbench.screenshot(`asking-${name}-plan`);
    await plan.first().getByRole('button', { name: 'Ask for changes' }).click();
    await plan.first().getByRole('textbox').fill('Shorter.');
    await plan.first().getByRole('button', { name: 'Send' }).click();
    await chatView.root.locator('.docent-question').nth(1).waitFor();
    await chatView.untilIdle();
    expect(allText(lastSent(workbench.model))).toContain('Shorter.');
    await chatView.root.locator('.docent-question').nth(1).getByRole('button', { name: 'Approve' }).click();
    await chatView.answers.getByText('So be it').waitFor();
    expect(lastSent(workbench.model).tools).toContain('move_note');
    expect(await noteText('Crew.md')).toBe(vault['Crew.md']);
  });

  it('R133 says whose text a chat has in view, also after a reload', async () => {
    await chatView.ask('What do the clipped pages say?');
    const badge = chatView.root.getByRole('button', { name: 'Has read Web.md' });
    await badge.click();
    await chatView.root.getByText('You approve every change').waitFor();
    await workbench.screenshot(`asking-${name}-taint`);
    await workbench.reload();
    const again = await openChatView(workbench);
    const still = again.root.getByRole('button', { name: 'Has read Web.md' });
    await still.click();
    await again.root.getByRole('button', { name: 'Continue in a new chat without this text' }).click();
    await still.waitFor({ state: 'detached' });
    expect(await again.questions.count()).toBe(0);
    expect(await again.input.inputValue()).toBe('What do the clipped pages say?');
    await workbench.screenshot(`asking-${name}-clean`);
  });

  it('R161@request keeps a note out by its menu command and shows it again', async () => {
    await workbench.page.evaluate(() =>
      (
        window as never as { app: { workspace: { openLinkText(link: string, from: string): Promise<void> } } }
      ).app.workspace.openLinkText('Crew.md', ''),
    );
    await workbench.command('keep-note');
    const isIndexed = (): Promise<boolean> =>
      workbench.page.evaluate(() => {
        const file = window.app.vault.getFileByPath('Crew.md');
        return file !== null && window.app.metadataCache.getFileCache(file)?.frontmatter?.['docent'] === false;
      });
    await until(isIndexed, 'the note is hidden');
    expect(await noteText('Crew.md')).toBe('---\ndocent: false\n---\n# Crew\n\nRui steers.\n');
    // On a phone the note covers the chat view.
    await showChat();
    await chatView.ask('Hello.');
    expect(allText(lastSent(workbench.model))).not.toContain('Crew.md');
    expect(await readdir(workbench.vaultFolder)).toContain('Crew.md');
  });
});

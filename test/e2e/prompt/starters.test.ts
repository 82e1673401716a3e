/** Each kind of note begun by its command, edited, and seen in the request; and what notes set for their chat. */
import { words } from '../../../src/text';
import { shareChat, sharedWalk, untilPrompt } from '../driver/begin-again';
import { measureOverflow } from '../driver/measure-look';
import { activeFile, until, openPicker } from '../driver/chat-view';
import { choose, sectionIn, sendTyped, startChat, walk, type Walk } from '../driver/reach-walk';
import { lookInThemes } from '../driver/workbench';
import { allText, sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';

jest.setTimeout(120_000);

/** Runs a command, waits for the note that it opens, and adds a line to it in the editor. */
async function begin({ workbench }: Walk, command: string, path: string, line: string): Promise<string> {
  await workbench.command(command);
  await until(async () => (await activeFile(workbench)) === path, `${path} is open`);
  const text = await workbench.readNote(path);
  const isTyped = (): Promise<boolean> =>
    workbench.page.evaluate(
      ([file, before, more]) => {
        const { activeEditor } = window.app.workspace;
        if (activeEditor?.file?.path !== file || activeEditor.editor?.getValue() !== before) return false;
        activeEditor.editor.replaceRange(`\n${more}\n`, activeEditor.editor.offsetToPos(before.length));
        return true;
      },
      [path, text, line] as const,
    );
  await until(isTyped, `${path} is in the editor`);
  await until(async () => (await workbench.readNote(path)).includes(line), `${path} is saved`);
  return text;
}

const kinds: readonly (readonly [command: string, path: string, line: string])[] = [
  ['new-prompt', 'Docent/prompts/New prompt.md', 'Line of the prompt.'],
  ['new-workspace', 'Docent/workspaces/New workspace.md', 'Line of the workspace.'],
  ['new-skill', 'Docent/skills/new-skill/SKILL.md', 'Line of the skill.'],
  ['new-subagent', 'Docent/subagents/new-subagent.md', 'Line of the subagent.'],
  ['create-context-file', 'AGENTS.md', 'Line of AGENTS.md.'],
  ['create-memory', 'Docent/memory.md', 'Line of the memory.'],
  ['create-system-extra', 'Docent/system-extra.md', 'Line of system-extra.'],
  ['create-system-reminder', 'Docent/system-reminder.md', 'Line of the reminder.'],
  ['create-commit-rules', 'Docent/commit.md', 'Line of commit.'],
  ['create-compaction', 'Docent/compaction.md', 'Line of compaction.'],
];

const fleet = { 'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n' };

shareChat({ vault: fleet });

describe('every kind of note', () => {
  const begun = new Map<string, string>();
  let role = '';
  const asked = sharedWalk(
    {
      vault: fleet,
      settings: { tier: 5 },
      scripted: ({ body }) => {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        role ||= text.includes('Your task: What is open?') ? text : '';
        const asks = text.includes('Ask the helper') && !text.includes('helper reports');
        const isHelper = text.includes('Your task:');
        if (asks && !isHelper) {
          return { toolCalls: [{ name: 'run_subagent', arguments: { name: 'new-subagent', task: 'What is open?' } }] };
        }
        return { text: isHelper ? 'The helper reports nothing.' : 'Understood.' };
      },
    },
    async (one) => {
      for (const [command, path, line] of kinds) begun.set(path, await begin(one, command, path, line));
      await one.workbench.screenshot('starter-note');
      await openPicker(one.chatView, 'workspace');
      await one.workbench.page.locator('.menu .menu-item', { hasText: 'New workspace' }).first().click();
      await one.workbench.page.locator('.menu').waitFor({ state: 'detached' });
      await choose(one, '/new-s', 'new-skill');
      await choose(one, '@New p', 'New prompt');
      await sendTyped(one, 'with words');
    },
  );

  it('is seen in the next request, without the lines that explain it', () => {
    const text = allText(asked.sent(0));
    for (const [command, , line] of kinds) {
      const isApart = /subagent|commit|compaction/.test(command);
      expect([line, text.includes(line)]).toEqual([line, !isApart]);
    }
    expect(sectionIn(text, 'sub_agents')).toContain('new-subagent');
    expect(sectionIn(text, 'user_memory')).toBe('Line of the memory.');
    expect(sectionIn(text, 'selected_workspace')).toContain('Line of the workspace.');
    expect(sectionIn(text, 'instructions')).toContain('Line of the skill.');
    expect(sectionIn(text, 'custom_prompts')).toContain('Line of the prompt.');
    expect(text).not.toContain('%%');
    expect(text).not.toContain('is for you');
  });

  it('is opened and left as it is when its command runs again, except kinds of which there can be many', async () => {
    for (const [command, path] of kinds) {
      await asked.workbench.command(command);
      const isMany = command.startsWith('new-');
      const next = isMany ? path.replace(/(new-skill)|\.md$/, '$1-2').replace(/^(.*)-2$/, '$1 2.md') : path;
      const expected = command === 'new-subagent' ? 'Docent/subagents/new-subagent-2.md' : next;
      await until(async () => (await activeFile(asked.workbench)) === expected, `${expected} is open`);
      expect(await asked.workbench.readNote(path)).toContain(begun.get(path)?.trim() ?? '-');
    }
    const notice = asked.workbench.page.locator('.notice', { hasText: words.starters.isThere('AGENTS.md') });
    expect(await notice.count()).toBeGreaterThan(0);
  });

  it('makes no folder besides those of its kind', async () => {
    const folders = await asked.workbench.page.evaluate(() => window.app.vault.getAllFolders().map(({ path }) => path));
    expect(folders.filter((folder) => !/^(?:Boats|Docent(?:\/.*)?)$/.test(folder))).toEqual([]);
  });

  it('can be begun from the settings, and a workspace from its menu', async () => {
    const settings = await openSettingsWindow(asked.workbench);
    await settings.openPage(words.starters.setting);
    await asked.workbench.screenshot('starters-settings');
    await settings.row(words.starters.rows.workspace.name).getByRole('button', { name: words.starters.create }).click();
    await until(
      async () => (await activeFile(asked.workbench)) === 'Docent/workspaces/New workspace 3.md',
      'the workspace is open',
    );
  });

  it('gives a subagent its role', async () => {
    await startChat(asked);
    await sendTyped(asked, 'Ask the helper.');
    expect(role).toContain('Line of the subagent.');
    expect(role).not.toContain('is for you');
  });
});

const asking = {
  'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n',
  'Docent/memory.md': '',
  'Docent/prompts/Plan it.md':
    '---\nmode: planning\nmodel: anthropic/scripted\npermission: read-only\npinned: "[[Whimbrel]]"\n---\nPlan it.\n',
  'Docent/prompts/Do it.md': '---\npermission: auto-edit\nmodel: no-such\n---\nDo it.\n',
  'Docent/workspaces/Refit.md': '---\nname: Refit\nmode: debugger\n---\nPrefer metric.\n',
};
/** The provider whose format the last request has. */
const lastDialect = ({ workbench }: Walk): string | null | undefined =>
  workbench.model?.requests.filter(({ dialect, method }) => dialect !== null && method === 'POST').at(-1)?.dialect;

describe.each(['desktop', 'phone'] as const)('a prompt that sets mode, model, notes and permission: %s', (device) => {
  const beginning = { vault: asking, settings: { tier: 5 } };
  const drive = async (one: Walk): Promise<void> => {
    await untilPrompt(one.workbench, 'Plan it');
    await choose(one, '/Plan', 'Plan it');
    await sendTyped(one, 'now');
  };
  const isPhone = device === 'phone';
  const asked = isPhone ? walk({ ...beginning, phone: true }, drive) : sharedWalk(beginning, drive);
  const notice = (text: string) => asked.workbench.page.locator('.notice', { hasText: text });

  /** Looks at what is shown in every theme of the device, and saves a picture of each. */
  async function look(name: string, then = async (): Promise<void> => {}): Promise<void> {
    if (!isPhone) return lookInThemes(asked.workbench, name, then);
    await asked.workbench.screenshot(`${name}-phone`);
    await then();
  }

  it('sets them before its message is sent, and says so', async () => {
    const sent = asked.sent(0);
    expect(sent.system).toMatch(/^You are the planner/);
    expect(lastDialect(asked)).toBe('anthropic');
    expect(allText(sent)).toContain('Whimbrel is a sloop.');
    expect(sent.tools).not.toContain('edit_note');
    await notice('“Plan it” sets for this chat: mode Planner').waitFor();
    await look('asked-choices');
  });

  it('asks about a looser permission each time, and says which model is not set up', async () => {
    await choose(asked, '/Do', 'Do it');
    await asked.chatView.input.press('Enter');
    const question = asked.workbench.page.locator('.modal', { hasText: words.prompts.asked.looser('Auto-edit') });
    await question.waitFor();
    await look('looser-permission', async () => expect(await measureOverflow(asked.workbench.page)).toEqual([]));
    expect(sentRequests(asked.workbench.model)).toHaveLength(1);
    await question.getByRole('button', { name: words.prompts.cancel }).click();
    await until(() => sentRequests(asked.workbench.model).length === 2, 'the message is sent');
    await asked.chatView.untilIdle();
    expect(asked.sent().tools).not.toContain('edit_note');
    expect(lastDialect(asked)).toBe('anthropic');
    await notice('uses the model “no-such”, which isn’t set up').waitFor();
    await choose(asked, '/Do', 'Do it');
    await asked.chatView.input.press('Enter');
    await question.getByRole('button', { name: words.prompts.asked.allow('Auto-edit') }).click();
    await until(() => sentRequests(asked.workbench.model).length === 3, 'the message is sent');
    await asked.chatView.untilIdle();
    expect(asked.sent().tools).toContain('edit_note');
  });

  it('sets the mode of a workspace when it is chosen', async () => {
    await startChat(asked);
    await openPicker(asked.chatView, 'workspace');
    await asked.workbench.page.locator('.menu .menu-item', { hasText: 'Refit' }).first().click();
    await notice('“Refit” sets for this chat: mode Troubleshooter.').waitFor();
    await sendTyped(asked, 'What is wrong?');
    expect(asked.sent().system).toMatch(/^You are the troubleshooter/);
  });
});

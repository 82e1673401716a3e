/** A system prompt of the user's own, with its variables, and the parts that the environment switches, as the model gets them. */
import path from 'node:path';
import { words } from '../../../src/text';
import { until, openPicker } from '../driver/chat-view';
import { shareChat, sharedWalk, turnPlugin } from '../driver/begin-again';
import { expectInOrder, sectionIn, startChat, type Walk } from '../driver/reach-walk';
import { openSettingsWindow } from '../driver/settings-window';

jest.setTimeout(90_000);

const own = [
  'You are mine.',
  '',
  '',
  '',
  'So be it.',
  '${AgentSkills}',
  '${SubAgents}',
  '${AvailableTools}',
  'Call ${ToolName_read_note}, ${search_notes_ToolName} and again ${ToolName_read_note}. ${AgentSkill} ${Sail} $& stay.',
].join('\n');
const vault = {
  'AGENTS.md': 'House rules.\n',
  'Boat.md': 'The boat is very blue.\n',
  'Spaced.md': 'one\n\n\n\n\ntwo\n',
  'Docent/memory.md': '\n\n  Likes tea.  \n\n\n',
  'Docent/system.md': own,
  'Docent/system-extra.md': 'Sources go last.\n',
  'Docent/skills/tides/SKILL.md': '---\nname: tides\ndescription: Reads $& and ${AvailableTools}.\n---\nLook twice.\n',
};

async function setVariables({ workbench }: Walk, variables: Readonly<Record<string, string>>): Promise<void> {
  await workbench.page.evaluate((env) => Object.assign(window, { process: { env } }), variables);
}

shareChat({ vault, desktop: true, plugins: [path.resolve('test/support/hook-plugin')] });
beforeAll(() => turnPlugin('tide-clock', false));

describe('in place of the standard composition', () => {
  const custom = sharedWalk(
    { vault, settings: { systemPrompt: 'default', contextNotes: ['Spaced.md'] } },
    async (self) => {
      await setVariables(self, { DOCENT_WRITE_SYSTEM_MD: '1' });
      await self.chatView.ask('Hello');
    },
  );
  const system = (): string => custom.sent(0).system;

  it('R015@request R034@request R047@request stands first, and only what must follow it does', () => {
    expectInOrder(system(), ['You are mine.', '<permissions>', 'House rules.', 'Sources go last.', 'Likes tea.']);
    expect(system().indexOf('You are mine.')).toBe(0);
    expect(system()).not.toMatch(/<(?:core_mandates|workflow|guidelines|final_reminder|sub_agents)>/);
  });

  it('R035@request R039@request has the rendered list of skills in its place, with nothing in it filled in', () => {
    expect(system()).toContain('**tides**: Reads $& and ${AvailableTools}.\n  Location: Docent/skills/tides/SKILL.md');
  });

  it('R036@request has the directory of sub-agents in its place', () => {
    expect(system()).toMatch(/- \*\*vault-investigator\*\*: .*\n- \*\*plugin-help\*\*: .*\n- \*\*generalist\*\*: /);
  });

  it('R037@request has the tools by name, one a line and sorted', () => {
    const { tools } = custom.sent(0);
    expect(tools.length).toBeGreaterThan(10);
    expect(system()).toContain(
      `\n${[...tools]
        .sort()
        .map((name) => `- ${name}`)
        .join('\n')}\nCall `,
    );
  });

  it('R038@request R039@request has names of tools in both forms and at every place, and leaves what is unknown', () => {
    expect(system()).toContain('Call read_note, search_notes and again read_note. ${AgentSkill} ${Sail} $& stay.');
  });

  it('R038@dom tells of the unknown names, with the nearest known one', async () => {
    await custom.workbench.command('show-diagnostics');
    const modal = custom.workbench.page.locator('.docent-diagnostics-modal');
    await modal.getByText('${Sail} isn’t a variable').first().waitFor();
    await modal.getByText('Did you mean ${AgentSkills}?').first().waitFor();
    await custom.workbench.page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
  });

  it('R040@request R260@request joins what is added by a blank line', () => {
    expect(system()).toMatch(/[^\n]\n\nSources go last\.\n/);
  });

  it('R017@request appends the memory trimmed, makes two line ends of more, and leaves those of notes', () => {
    expect(system()).toMatch(/^You are mine\.\n\nSo be it\.\n/);
    // Only reference texts follow, here the listing of the vault.
    expect(system()).toMatch(/[^\n]\n\n---\n\n<user_memory>\nLikes tea\.\n<\/user_memory>\n\n# Vault map\n/);
    expect(system()).toContain('one\n\n\n\n\ntwo');
    expect(system()).toBe(system().trim());
  });

  it('R017@disk R043@disk writes out what was sent', async () => {
    const target = 'Docent/exports/system.md';
    await until(
      async () => (await custom.workbench.readNote(target).catch(() => '')) === system(),
      'the prompt is on the disk',
    );
  });

  it('R037@request says so where there is no tool', async () => {
    const { page } = custom.workbench;
    await page.evaluate(async () => {
      await window.app.workspace.openLinkText('Boat', '', false);
      window.app.workspace.activeEditor?.editor?.setSelection({ line: 0, ch: 0 }, { line: 0, ch: 22 });
    });
    await custom.workbench.command('rewrite-selection');
    await page.locator('.docent-rewrite').getByLabel(words.prompts.rewriteInstruction).fill('Shorter');
    await page.keyboard.press('Enter');
    await until(() => (custom.workbench.model?.requests.length ?? 0) > 1, 'the rewriting is asked for');
    expect(custom.sent(1).system).toMatch(/^You are mine\.[\s\S]*\nNo tools are currently available\.\nCall read_note/);
  });
});

describe('the variables that switch a part', () => {
  /** By the key of each part, a text that only this part writes; null where a chat here has nothing of it. */
  const marks = {
    preamble: 'This is an interactive chat',
    coreMandates: '<core_mandates>',
    agentContexts: '<sub_agents>',
    agentSkills: '<available_skills>',
    hookContext: '<hook_notice>',
    primaryWorkflows: 'Only for a new structure',
    planningWorkflow: null,
    operationalGuidelines: '<guidelines>',
    sandbox: '<permissions>',
    git: null,
    finalReminder: '<final_reminder>',
  } as const;
  const keys = Object.keys(marks) as (keyof typeof marks)[];
  const variableOf = (key: string): string => `DOCENT_PROMPT_${key.toUpperCase()}`;
  const sentKeys = keys.filter((key) => marks[key] !== null);
  const switched = sharedWalk({ vault, settings: { contextWindow: 32_768 } }, async (self) => {
    await turnPlugin('tide-clock', true);
    await setVariables(self, {});
    await self.chatView.ask('With all');
    for (const key of sentKeys) {
      await setVariables(self, { [variableOf(key)]: key.length % 2 === 0 ? 'False' : '0' });
      await self.chatView.ask(`Without ${key}`);
    }
    await setVariables(self, Object.fromEntries(keys.map((key) => [variableOf(key), 'false'])));
    await self.chatView.ask('Without any');
    await turnPlugin('tide-clock', false);
  });
  const sentIn = (index: number): string[] =>
    sentKeys.filter((key) => switched.sent(index).system.includes(marks[key] ?? ''));

  it('R019@request R252@request are on by themselves', () => {
    expect(sentIn(0)).toEqual(sentKeys);
  });

  it.each(sentKeys.map((key, index) => [key, index + 1] as const))(
    'R019@request R018@request R252@request leave out %s alone',
    (key, index) => {
      expect(sentIn(index)).toEqual(sentKeys.filter((each) => each !== key));
      expect(switched.sent(index).system).not.toMatch(/\n{3}|undefined|null/);
    },
  );

  it('R019@request R018@request R252@request leave out all together, and nothing stands in their place', () => {
    const { system } = switched.sent();
    expect(sentIn(-1)).toEqual([]);
    expect(system).toMatch(/You are the assistant [\s\S]*\n\n<project_context>/);
    expect(system).not.toMatch(/\n{3}/);
  });

  it('R019@dom R252@dom are named by the switch of each part', async () => {
    const settings = await openSettingsWindow(switched.workbench);
    await settings.openPage(words.ownPrompt.switches);
    const page = switched.workbench.page.locator('.setting-page');
    for (const key of keys)
      await page
        .getByText(new RegExp(`${variableOf(key)}\\b`))
        .first()
        .waitFor();
    await settings.close();
  });
});

describe('in Plan', () => {
  const planning = sharedWalk({ vault, settings: { permission: 'plan', tier: 5 } }, async (self) => {
    await setVariables(self, {});
    await self.chatView.ask('With it');
    await setVariables(self, { DOCENT_PROMPT_PLANNINGWORKFLOW: '0' });
    await self.chatView.ask('Without it');
  });

  it('R019@request R252@request R253@request the planning workflow is switched as well, and what is enforced stays', () => {
    expect(sectionIn(planning.sent(0).system, 'workflow')).toMatch(/^Plan in four phases/);
    expect(planning.sent(1).system).not.toMatch(/<workflow>/);
    expect(planning.sent(1).tools).toEqual(planning.sent(0).tools);
    expect(planning.sent(1).tools).not.toContain('move_note');
  });
});

describe('what changes between two messages', () => {
  const changing = sharedWalk(
    {
      vault: { 'Boat.md': 'Blue.\n', 'AGENTS.md': 'House rules.\n', 'Docent/memory.md': 'Likes tea.\n' },
      settings: { model: 'anthropic/scripted' },
    },
    async (self) => {
      const { workbench, chatView } = self;
      await chatView.ask('One');
      await chatView.ask('Two');
      await workbench.writeNote('Docent/memory.md', 'Likes coffee.\n');
      await until(async () => {
        await chatView.ask('Three');
        return self.sent().system.includes('coffee');
      }, 'the memory is sent');
      await openPicker(chatView, 'model');
      await workbench.page.locator('.menu .menu-item', { hasText: 'OpenAI: scripted' }).first().click();
      await chatView.ask('Four');
      await startChat(self);
    },
  );

  it('R007@request R254@request sends the same head, byte for byte, while nothing changes', () => {
    expect(changing.sent(1).system).toBe(changing.sent(0).system);
    expect(changing.sent(1).tools).toEqual(changing.sent(0).tools);
    expect(changing.sent(1).messages.slice(0, changing.sent(0).messages.length)).toEqual(changing.sent(0).messages);
  });

  it('R254@request R255@request takes up an edit of the memory at the next message', () => {
    const at = [0, 1, 2, 3].map((index) => sectionIn(changing.sent(index).system, 'user_memory'));
    expect(at.slice(0, 2)).toEqual(['Likes tea.', 'Likes tea.']);
    expect(sectionIn(changing.sent().system, 'user_memory')).toBe('Likes coffee.');
  });
});

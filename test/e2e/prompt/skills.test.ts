/** Skills and modes by `/` in the browser: on the request that is sent, on the page, and on the disk. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { ScriptStep } from '../../support/model-server/script';
import { shareChat, sharedWalk } from '../driver/begin-again';
import { readLogInView, until } from '../driver/chat-view';
import { measureContrast, measureOverflow } from '../driver/measure-look';
import { choose, sendTyped, startChat, walk, type Walk } from '../driver/reach-walk';
import { newText, sentRequests } from '../driver/sent-request';
import { showTheme } from '../driver/workbench';

jest.setTimeout(90_000);

const skill = (name: string, more: string, body: string): string =>
  `---\nname: ${name}\ndescription: Use it for ${name}.\n${more}---\n${body}\n`;

const vault = {
  'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n',
  'Docent/memory.md': '',
  'Docent/skills/weekly-review/SKILL.md': skill(
    'weekly-review',
    'allowed-tools: read_note search_notes\n',
    'List what is open. The form is in references/form.md. </instructions> & so on.',
  ),
  'Docent/skills/weekly-review/references/form.md': 'Three headings: done, open, next.\n',
  'Docent/skills/weekly-review/scripts/count.py': 'print(3)\n',
  'Docent/skills/plain/SKILL.md': skill('plain', '', 'Speak plainly.'),
};

const form = 'Docent/skills/weekly-review/references/form.md';
const script = 'Docent/skills/weekly-review/scripts/count.py';

/** Calls these tools one after another for a message that asks for them, then answers. */
function calling(calls: NonNullable<ScriptStep['toolCalls']>): () => ScriptStep {
  let next = 0;
  return () => {
    const call = calls[next++];
    return call === undefined ? { text: 'Reviewed.' } : { toolCalls: [call] };
  };
}

shareChat({ vault });

describe('a skill whose name is typed in full', () => {
  const typed = sharedWalk({ vault }, async (one) => {
    await sendTyped(one, '/plain for this week');
  });

  it('R135@request goes with the message, as one that was chosen from the list', () => {
    expect(newText(typed.sent(0))).toContain('<instructions name="plain">\nSpeak plainly.\n</instructions>');
    expect(newText(typed.sent(0))).toContain('/plain for this week');
  });
});

describe('a skill run by its name', () => {
  const asked = sharedWalk(
    {
      vault,
      scripted: calling([
        { name: 'read_note', arguments: { path: form } },
        { name: 'read_note', arguments: { path: script } },
        { name: 'list_folder', arguments: { path: 'Boats' } },
      ]),
    },
    async (one) => {
      await choose(one, '/week', 'weekly-review');
      await sendTyped(one, 'for this week');
    },
  );

  it('R135@request goes with the message as activate_skill would bring it in, with its files and its limit', () => {
    const text = newText(asked.sent(0));
    expect(text).toContain(
      '<instructions name="weekly-review">\nList what is open. The form is in references/form.md. &lt;/instructions> & so on.\n</instructions>',
    );
    expect(text).toContain(`Files of this skill: ${form}, ${script}. Read one with read_note when the skill names it.`);
    expect(text).toContain('This skill allows only these tools in this turn: read_note, search_notes.');
    expect(text).toContain('/weekly-review  for this week');
  });

  it('has its files read through the vault, notes or not', () => {
    const results = asked.sent().messages.flatMap((message) => message.results.map(({ text }) => text));
    expect(results[0]).toContain('Three headings: done, open, next.');
    expect(results[1]).toContain('print(3)');
  });

  it('keeps the turn to the tools that it allows, and says so', () => {
    const results = asked.sent().messages.flatMap((message) => message.results.map(({ text }) => text));
    expect(results[2]).toBe(
      'The skill “weekly-review” does not allow list_folder in this turn. Use read_note, search_notes, or answer with what you have.',
    );
  });

  it('lets the next turn use every tool again, and stays in the history as it was sent', async () => {
    const before = sentRequests(asked.workbench.model).length;
    await sendTyped(asked, 'And without it?');
    const next = asked.sent(before);
    expect(newText(next)).not.toContain('<instructions');
    expect(next.messages.map(({ text }) => text).join('\n')).toContain('<instructions name="weekly-review">');
    const log = await readLogInView(asked.workbench);
    expect(log.filter(({ k }) => k === 'user').map(({ b }) => b['mentions'])).toEqual([
      [{ kind: 'skill', id: 'Docent/skills/weekly-review/SKILL.md', label: 'weekly-review' }],
      [],
    ]);
  });

  it('is offered next to the commands with what is typed, and its chip opens its note', async () => {
    await startChat(asked);
    const { chatView, workbench } = asked;
    await chatView.input.focus();
    await workbench.page.keyboard.type('/pla');
    const row = chatView.suggestions.filter({ hasText: 'Use it for plain.' });
    await row.waitFor();
    expect(await row.locator('.docent-popup-typed').innerText()).toBe('/plain');
    await workbench.screenshot('skill-suggested');
    await row.click();
    await chatView.chips.first().waitFor();
    await workbench.screenshot('skill-chip');
    expect(await chatView.chipNames()).toEqual(['plain']);
  });
});

describe.each(['light', 'phone'] as const)('how a skill looks: %s', (look) => {
  const drive = async ({ chatView, workbench }: Walk): Promise<void> => {
    if (look === 'light') await showTheme(workbench, 'light');
    await chatView.input.focus();
    await workbench.page.keyboard.type('/w');
    await chatView.suggestions.first().waitFor();
  };
  const asked = look === 'light' ? sharedWalk({ vault }, drive) : walk({ vault, phone: true }, drive);
  if (look === 'light') afterAll(() => showTheme(asked.workbench, 'dark'));

  it('its row fits the list, and its name can be read', async () => {
    await asked.workbench.screenshot(`skill-suggested-${look}`);
    expect(await measureOverflow(asked.workbench.page)).toEqual([]);
    const { ratio } = await measureContrast(asked.workbench.page, '.docent-popup-name');
    expect(ratio).toBeGreaterThan(4.4);
  });
});

describe('the mode by /mode', () => {
  const asked = sharedWalk({ vault, settings: { tier: 5 } }, async (one) => {
    await one.chatView.input.fill('/mode wizard');
    await one.chatView.input.press('Enter');
    await one.workbench.page.locator('.notice', { hasText: 'The mode “wizard” doesn’t exist.' }).waitFor();
    await one.chatView.input.fill('/mode planner');
    await one.chatView.input.press('Enter');
    await one.workbench.page.locator('.notice', { hasText: 'is now Planner' }).waitFor();
    await sendTyped(one, 'Plan the refit.');
    await one.chatView.input.fill('/mode user');
    await one.chatView.input.press('Enter');
    await one.workbench.page.locator('.notice', { hasText: 'is now Custom' }).waitFor();
    await startChat(one);
    await one.chatView.input.fill('/mode user');
    await one.chatView.input.press('Enter');
    await one.workbench.page.locator('.notice', { hasText: 'is now Custom' }).nth(1).waitFor();
    await one.workbench.writeNote('Docent/modes/user/tier5.md', 'You are the tutor.\n');
    const isRead = (): Promise<boolean> =>
      one.workbench.page.evaluate(async () => {
        const file = window.app.vault.getFileByPath('Docent/modes/user/tier5.md');
        return file !== null && (await window.app.vault.cachedRead(file)) === 'You are the tutor.\n';
      });
    await until(isRead, 'the template is read');
    await sendTyped(one, 'Who are you?');
  });

  it('R101@disk /mode user makes the five templates of the user’s own mode from Assistant’s', async () => {
    for (const tier of [1, 2, 3, 4, 5]) {
      const file = `Docent/modes/user/tier${tier}.md`;
      await access(path.join(asked.workbench.vaultFolder, file));
      if (tier < 5) expect(await asked.workbench.readNote(file)).toContain('You are the assistant');
    }
  });

  it('R101@request changes the mode of the chat, and sends nothing itself', () => {
    expect(sentRequests(asked.workbench.model)).toHaveLength(2);
    expect(asked.sent(0).system).toMatch(/^You are the planner/);
    expect(asked.sent(1).system).toMatch(/^You are the tutor\./);
  });
});

describe('a skill that ships', () => {
  const named = sharedWalk({ vault: { 'Boat.md': 'The boat is blue.\n' } }, async (one) => {
    await choose(one, '/meet', 'meeting-minutes');
    await sendTyped(one, 'of the yard');
  });

  it('R134 goes with the message that names it, in a vault without skills', () => {
    const text = newText(named.sent(0));
    expect(text).toContain('Follow these skills for this message. The user chose them:');
    expect(text).toContain('<instructions name="meeting-minutes">\n# Meeting minutes\n');
    expect(text).toContain('Write a decision only if the notes say that it was made.');
    expect(text).toContain('/meeting-minutes  of the yard');
  });
});

describe('a skill that ships and is activated', () => {
  const activated = sharedWalk(
    {
      vault: { 'Boat.md': 'The boat is blue.\n' },
      scripted: calling([{ name: 'activate_skill', arguments: { name: 'repair-links' } }]),
    },
    ({ chatView }) => chatView.ask('Repair the links').then(() => {}),
  );

  it('R134 is listed for the model, and comes when it is activated', () => {
    expect(activated.sent(0).system).toContain(
      '- **repair-links**: Finds broken links in notes and proposes repairs.\n',
    );
    const results = activated.sent().messages.flatMap((message) => message.results.map(({ text }) => text));
    expect(results[0]).toContain('# Repair links');
    expect(results[0]).toContain('Never create an empty note to repair a link.');
    expect(activated.sent().system).not.toContain('Location: built-in/');
  });
});

/** The variables of saved prompts: each as the model gets it, and what is said before one is sent empty. */
import { words } from '../../../src/text';
import { holdTime } from '../driver/begin-again';
import { choose, walk, type Walk } from '../driver/reach-walk';
import { newText, sentRequests } from '../driver/sent-request';
import { bringToFront, openPicker, selectText } from '../driver/chat-view';

jest.setTimeout(90_000);

const say = words.prompts;
const vault = {
  'Boats/Heron.md': '# Heron\n\nThe boat is very blue. The sea is green.\n',
  'Blank.md': '',
  'Secret/Diary.md': 'A secret.\n',
  '.obsidian/app.json': JSON.stringify({ userIgnoreFilters: ['Secret/'] }),
  '.obsidian/daily-notes.json': JSON.stringify({ folder: 'Journal' }),
  'Docent/prompts/Tighten.md': 'Shorten the passage below.\n\n${selection}\n',
  'Docent/prompts/Everything.md':
    'T=${title}; P=${activeNote}; D=${dailyNote}; on ${date} at ${time}; A=${arguments}; S=${selection}; N=${noteText}\n',
  'Docent/prompts/Standing.md': 'Work on ${selection}, at ${time}.\n',
};

const openNote = ({ workbench }: Walk, path: string): Promise<void> => bringToFront(workbench.page, path);

const select = ({ workbench }: Walk, text: string): Promise<void> => selectText(workbench.page, text);

const dialog = ({ workbench }: Walk) => workbench.page.locator('.modal', { hasText: say.sendEmpty });
const lastNew = (self: Walk): string => newText(self.sent());
const count = (self: Walk): number => sentRequests(self.workbench.model).length;

/** Sends what is in the box, and returns what is asked before that. */
async function sendAsked(self: Walk): Promise<string> {
  await self.chatView.input.press('Enter');
  await dialog(self).waitFor();
  return dialog(self).innerText();
}

async function answer(self: Walk, button: string): Promise<void> {
  await dialog(self).getByRole('button', { name: button, exact: true }).click();
  await dialog(self).waitFor({ state: 'detached' });
}

/** Opens the chat view again, which covers the note on a phone. */
const showChat = ({ workbench }: Walk): Promise<void> => workbench.command('open-chat');

describe.each([
  ['a desktop', false],
  ['a phone', true],
])('on %s', (_device, phone) => {
  const self = walk({ vault, phone, settings: { model: 'anthropic/scripted' } }, async () => {});

  it('R171@dom a prompt without a selection is not sent before that is said, and stays in the box', async () => {
    await openNote(self, 'Boats/Heron.md');
    await showChat(self);
    await choose(self, '/Tight', 'Tighten');
    expect(await sendAsked(self)).toContain('“Tighten” uses ${selection}, but no text is selected.');
    await answer(self, say.cancel);
    expect(count(self)).toBe(0);
    expect((await self.chatView.input.inputValue()).trim()).toBe('/Tighten');
  });

  it('R171@request it is sent with nothing if the user wants that, and asked once for each message', async () => {
    await sendAsked(self);
    await answer(self, say.sendAnyway);
    await self.chatView.questions.first().waitFor();
    await self.chatView.untilIdle();
    expect(lastNew(self)).toMatch(/<prompt name="Tighten">\nShorten the passage below\.\s*<\/prompt>/);
    expect(await self.chatView.input.inputValue()).toBe('');
  });

  it('R171@request each variable is in the request, and nothing is asked', async () => {
    await openNote(self, 'Boats/Heron.md');
    await select(self, 'very blue');
    await showChat(self);
    await holdTime(self.workbench, new Date('2026-03-04T14:05:00Z'));
    await choose(self, '@Every', 'Everything');
    await self.workbench.page.keyboard.type('the hull');
    await self.chatView.input.press('Enter');
    await self.chatView.questions.nth(1).waitFor();
    await self.chatView.untilIdle();
    expect(await dialog(self).count()).toBe(0);
    expect(lastNew(self)).toContain(
      'T=Heron; P=Boats/Heron.md; D=Journal/2026-03-04.md; on Wednesday, March 4, 2026 at 14:05; A=the hull; ' +
        'S=very blue; N=# Heron\n\nThe boat is very blue. The sea is green.',
    );
  });

  it('R171@dom a note without text, and a hidden one, give nothing, which is said', async () => {
    await openNote(self, 'Blank.md');
    await showChat(self);
    await choose(self, '@Every', 'Everything');
    const asked = await sendAsked(self);
    expect(asked).toContain('“Everything” uses ${selection}, but no text is selected.');
    expect(asked).toContain('“Everything” uses ${noteText}, but no note with text is open.');
    expect(asked).not.toMatch(/title|activeNote|dailyNote|arguments/);
    await answer(self, say.cancel);
    await openNote(self, 'Secret/Diary.md');
    await select(self, 'secret');
    await showChat(self);
    const hidden = await sendAsked(self);
    expect(hidden).toMatch(
      /\$\{title\}, but Secret\/Diary[.]md is hidden from Docent[^]*\$\{selection\}[^]*\$\{noteText\}/,
    );
    expect(hidden).not.toContain('no note is open');
    await answer(self, say.sendAnyway);
    await self.chatView.questions.nth(2).waitFor();
    await self.chatView.untilIdle();
    expect(lastNew(self)).toContain('T=; P=; D=Journal/2026-03-04.md;');
    expect(JSON.stringify(sentRequests(self.workbench.model))).not.toMatch(/A secret|Diary/);
  });

  it('R176@dom the prompt of a chat is asked about once', async () => {
    const picker = self.chatView.root.locator('.docent-picker.is-prompt');
    await openPicker(self.chatView, 'prompt');
    await self.workbench.page.locator('.menu .menu-item', { hasText: 'Standing' }).first().click();
    await self.workbench.page.locator('.menu').waitFor({ state: 'detached' });
    await picker.getByText('Standing', { exact: true }).waitFor();
    await self.chatView.input.fill('Go on');
    expect(await sendAsked(self)).toContain('“Standing” uses ${selection}, but Secret/Diary.md is hidden from Docent.');
    await answer(self, say.sendAnyway);
    await self.chatView.questions.nth(3).waitFor();
    await self.chatView.untilIdle();
    await self.chatView.ask('And on');
    // The minute changes, and the text of the chat's prompt does not.
    await holdTime(self.workbench, new Date('2026-03-04T14:06:00Z'));
    const before = count(self);
    await self.chatView.ask('And further');
    expect(count(self)).toBe(before + 1);
    expect(lastNew(self)).not.toContain('Work on');
  });
});

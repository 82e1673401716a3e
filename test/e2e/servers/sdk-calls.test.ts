/**
 * Calls to the servers of the official SDKs, of both revisions: how far they have come, the end of one, what a server asks in
 * between, what comes back, and a catalog that grows.
 */
import { words } from '../../../src/text';
import { until, untilUnsaved } from '../driver/chat-view';
import { chatView, openChat, reloadChat, workbench } from '../driver/open-chat';
import { startChat } from '../driver/reach-walk';
import { allText, lastSent } from '../driver/sent-request';
import {
  allowServer,
  lastResults,
  openQuestions,
  openScript,
  serverChoices,
  startSdkServer,
  watchProgress,
} from './server-walk';
import type { SdkServer } from './server-walk';

jest.setTimeout(60_000);

const say = words.serverSettings;
const vault = { 'Now.md': '# Now\n\nThe boat lies on the hard.\n' };

const all = [
  ['2025-11-25', 'sdk-server.mjs', 'sessions'],
  ['2026-07-28', 'stateless-server.mjs', 'modern'],
] as const;

describe.each(all)('a server of the revision %s', (_revision, file, mode) => {
  const { next, script, willCall } = openScript();
  let server: SdkServer;
  let questions: ReturnType<typeof openQuestions>;

  beforeAll(async () => {
    server = await startSdkServer(file, mode);
    const settings = { model: 'anthropic/scripted', ...serverChoices({ boats: server.url }) };
    await openChat({ vault, scripted: script, settings });
    questions = openQuestions(chatView);
    await allowServer(workbench, 'boats');
  });
  beforeEach(async () => {
    next.length = 0;
    await startChat({ workbench, chatView });
  });
  afterAll(async () => {
    await workbench.close();
    server.stop();
  });

  /** Has the model call a tool, which the user allows. */
  async function call(tool: string, args: Record<string, unknown> = {}): Promise<void> {
    willCall([`boats_${tool}`, args]);
    await chatView.send(`Call ${tool}.`);
    await questions.send('boats');
  }

  /** Sends what is in the box, and this behind it. */
  async function sendTyped(text: string): Promise<void> {
    await chatView.input.press('End');
    await workbench.page.keyboard.insertText(text);
    await chatView.input.press('Enter');
    await chatView.answers.last().waitFor();
    await chatView.untilIdle();
  }

  it('says how far a call has come, until it ends, and hears that another was stopped', async () => {
    const progress = chatView.root.locator('.docent-run-progress');
    const shown = await watchProgress(workbench);
    await call('steps', { steps: 4, pause: 150 });
    await chatView.untilIdle();
    const { progress: say } = words.servers;
    expect((await shown()).slice(0, 3)).toEqual(['1', '2', '3'].map((done) => say(done, '4', `step ${done}`)));
    expect(await progress.count()).toBe(0);
    expect(lastResults(workbench)).toEqual([expect.stringContaining('| done')]);
    const before = (await server.state()).cancelled;
    await call('steps', { steps: 4_000, pause: 20 });
    await progress.filter({ hasText: ' of 4000: step ' }).waitFor();
    await chatView.root.locator('.docent-send.is-stop').click();
    await chatView.untilIdle();
    expect(await progress.count()).toBe(0);
    await until(async () => (await server.state()).cancelled === before + 1, 'the server hears that it was stopped');
    const count = workbench.model?.requests.length;
    expect(await (await chatView.ask('And now?')).innerText()).toContain('Done.');
    expect(workbench.model?.requests.length).toBe((count ?? 0) + 1);
  });

  it('asks what it wants to know in the chat, checks each value, and gets yes, no, and no decision', async () => {
    await call('fill-in');
    const question = questions.during('boats');
    await question.getByText('Which berth do you want?').waitFor();
    const field = (title: string) => question.getByLabel(title, { exact: true });
    const problems = async (): Promise<string[]> =>
      (await question.locator('.docent-field-problem').allInnerTexts()).map((text) => text.trim());
    await questions.answer('boats');
    const { missing } = say.fields;
    await until(async () => (await problems()).filter((text) => text === missing).length === 5, 'what is missing');
    expect(await problems()).toEqual([
      missing,
      missing,
      missing,
      missing,
      '',
      missing,
      say.fields.choices(1, Infinity),
    ]);
    expect((await server.state()).answers).toEqual([]);
    await field('Boat').fill('A');
    await field('Mail').fill('ada at sea');
    await field('Length').fill('41');
    await field('Crew').fill('2.5');
    await questions.answer('boats');
    expect((await problems()).slice(0, 4)).toEqual([
      say.fields.length(2, 20),
      say.fields.format('email'),
      say.fields.range(1, 40),
      say.fields.whole,
    ]);
    await field('Length').fill('long');
    expect((await problems())[2]).toBe(say.fields.number);
    await field('Boat').fill('Ada');
    await field('Mail').fill('ada@example.org');
    await field('Length').fill('9.5');
    await field('Crew').fill('3');
    await question.getByLabel('Insured').uncheck();
    await field('Coast').selectOption({ label: 'South' });
    await question.getByRole('group', { name: 'Days' }).getByLabel('Sunday').check();
    expect((await problems()).join('')).toBe('');
    await questions.answer('boats');
    await chatView.untilIdle();
    expect(lastResults(workbench)).toEqual([expect.stringContaining('| The form: accept.')]);
    const content = {
      ...{ boat: 'Ada', mail: 'ada@example.org', length: 9.5, crew: 3 },
      ...{ insured: false, coast: 's', days: ['sun'] },
    };
    expect((await server.state()).answers).toEqual([expect.objectContaining({ action: 'accept', content })]);

    await call('fill-in');
    await questions.decline('boats');
    await chatView.untilIdle();
    expect(lastResults(workbench)).toEqual([expect.stringContaining('| The form: decline.')]);
    expect((await server.state()).answers.map(({ action }) => action)).toEqual(['accept', 'decline']);
  });

  it('gives the model rows, an image, a resource, and a prompt that it wrote', async () => {
    willCall(['boats_rows'], ['boats_picture'], ['read_server_resource', { server: 'boats', uri: 'demo://a' }]);
    await chatView.send('Look at everything.');
    for (let asked = 1; asked <= 3; asked++) {
      await questions
        .before('boats')
        .getByText(`${asked === 3 ? '' : `1 of ${4 - asked}`}`)
        .first()
        .waitFor();
      await questions.send('boats');
    }
    await chatView.untilIdle();
    const [rows, picture, resource] = lastResults(workbench);
    expect(rows).toContain('| See the structured content.\n\n| {"rows":[11,22,33]}');
    expect(picture).toContain('[image 1: image/png, 1 KB]');
    expect(resource).toContain('| demo://a\n| The text of a.');
    expect(JSON.stringify(workbench.model?.requests.at(-1)?.body)).toMatch(
      /"type":"image".{0,80}"media_type":"image\/png"/,
    );

    await workbench.command('new-chat');
    await chatView.input.focus();
    await workbench.page.keyboard.type('[[demo://a');
    await chatView.suggestions.filter({ hasText: 'boats' }).first().click();
    expect(await chatView.chipNames()).toEqual(['a']);
    await sendTyped(' What does it say?');
    const attached = lastSent(workbench.model).messages.at(-1)?.text ?? '';
    expect(attached).toMatch(/<untrusted source="[^"]*boats[^"]*">\n\| demo:\/\/a\n\| The text of a\.\n<\/untrusted>/);
    await chatView.root.getByText(words.servers.taintOf('boats')).first().waitFor();

    await workbench.command('new-chat');
    await chatView.input.focus();
    await workbench.page.keyboard.type('/greet');
    await chatView.suggestions.first().click();
    const form = workbench.page.locator('.docent-prompt-arguments');
    await form.getByRole('button', { name: say.prompt.insert }).click();
    await form.getByText(say.fields.missing).waitFor();
    await form.getByLabel('who', { exact: true }).fill('Ann');
    await form.getByRole('button', { name: say.prompt.insert }).click();
    await form.waitFor({ state: 'detached' });
    await sendTyped(' Go on.');
    expect(allText(lastSent(workbench.model))).toMatch(
      /User:\n(?:\| )?Hello Ann\.\n\n(?:\| )?Assistant:\n(?:\| )?At your service\./,
    );
  });

  it('asks before it sends a message whose prompt it wrote before Obsidian was closed', async () => {
    await chatView.input.focus();
    await workbench.page.keyboard.type('/greet');
    await chatView.suggestions.first().click();
    const form = workbench.page.locator('.docent-prompt-arguments');
    await form.getByLabel('who', { exact: true }).fill('Bea');
    await form.getByRole('button', { name: say.prompt.insert }).click();
    await form.waitFor({ state: 'detached' });
    await untilUnsaved(workbench.page, 'who: Bea');
    await reloadChat();
    await until(async () => (await chatView.input.inputValue()).includes('who: Bea'), 'the draft is back');
    const before = workbench.model?.requests.length;
    await chatView.input.press('Enter');
    const question = workbench.page.locator('.modal').filter({ hasText: words.prompts.sendEmpty });
    await question.getByText(words.prompts.notThere('greet (who: Bea)')).waitFor();
    expect(workbench.model?.requests).toHaveLength(before ?? 0);
    await question.getByRole('button', { name: words.prompts.sendAnyway }).click();
    await chatView.answers.last().waitFor();
  });

  it('R256@request goes on when it adds a tool and a resource, which wait to be allowed', async () => {
    willCall(['boats_add-tool'], ['boats_add-resource']);
    await chatView.send('Grow.');
    await questions.send('boats');
    await questions.send('boats');
    await chatView.untilIdle();
    expect(lastResults(workbench).join()).not.toContain('error');
    await chatView.root.getByText(say.notice.changed('boats')).waitFor();
    await call('echo', { said: 'still here' });
    await chatView.untilIdle();
    expect(lastResults(workbench)).toEqual([expect.stringContaining('| still here')]);
    const { tools } = lastSent(workbench.model);
    expect(tools.filter((name) => name.includes('late'))).toEqual([]);
    await chatView.root.getByText(say.notice.changed('boats')).click();
    const added = workbench.page.locator('.docent-offer-part.is-added .docent-offer-name code');
    await until(async () => (await added.count()) >= 2, 'the tool and the resource are marked as new');
    expect((await added.allInnerTexts()).map((name) => name.replace(/-?\d+$/, '')).sort()).toEqual(['late', 'late']);
    await workbench.page.getByRole('button', { name: say.offer.allow }).click();
    await chatView.root.getByText(say.notice.changed('boats')).waitFor({ state: 'detached' });
    await chatView.ask('And now?');
    expect(lastSent(workbench.model).tools.filter((name) => name.includes('late'))).toHaveLength(1);
  });

  it('hears that nobody decided when its question is left for ten minutes', async () => {
    await workbench.page.clock.install();
    await call('fill-in');
    await questions.during('boats').waitFor();
    const { length } = (await server.state()).answers;
    await workbench.page.clock.fastForward(601_000);
    await questions.during('boats').waitFor({ state: 'detached' });
    await chatView.untilIdle();
    expect((await server.state()).answers.slice(length)).toEqual([expect.objectContaining({ action: 'cancel' })]);
    expect(lastResults(workbench)).toEqual([expect.stringContaining('| The form: cancel.')]);
  });
});

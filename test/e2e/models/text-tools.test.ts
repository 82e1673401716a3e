/** A model without native tool calling: it writes its calls into its answers, and edits a note like any other. */
import path from 'node:path';
import { words } from '../../../src/text';
import { readLog, until } from '../driver/chat-view';
import { chatView, openChat, reloadChat, workbench } from '../driver/open-chat';
import { readFile } from '../driver/reach';
import { sectionIn } from '../driver/reach-walk';
import { sentRequests, type SentRequest } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { type Script, startScriptedModel } from '../../support/model-server';
import { beginChat } from './model-walk';

jest.setTimeout(120_000);

const vault = {
  'Boats/Heron.md': '# Heron\n\nHeron is a clinker dinghy.\n\nHer keel is oak & iron.\n',
  'Now.md': 'The blue boat is on the hard.\n',
};

const idIn = ({ system }: SentRequest): string => /- sessionId: "([^"]+)"/.exec(system)?.[1] ?? '';

const sent = (index = -1): SentRequest => {
  const found = sentRequests(workbench.model).at(index);
  if (found === undefined) throw new Error(`There is no request ${index}.`);
  return found;
};
const lastText = (index = -1): string => sent(index).messages.at(-1)?.text ?? '';
/** Besides the one whose user said that it has no native tools. */
const models = { ollama: ['other'] };
const inText = { 'ollama/scripted': { toolCalling: 'text' } };
const onDisk = () => readFile(path.join(workbench.vaultFolder, 'Boats/Heron.md'), 'utf8');

const block = (sessionId: string, calls: readonly object[]): string =>
  `\`\`\`json\n${JSON.stringify({
    useTools: {
      workspaceId: 'default',
      sessionId,
      memory: 'The user asked about the keel.',
      goal: 'Correct the note about Heron.',
      calls,
    },
  })}\n\`\`\``;

/** Looks tools up, searches, reads, edits, and answers; each step in a form of its own. */
const script: Script = ({ body }) => {
  const { messages } = body as { messages: { role: string; content: string }[] };
  const id = idIn({ system: messages[0]?.content ?? '' } as SentRequest);
  const last = messages.at(-1)?.content ?? '';
  const answers: readonly [RegExp, string][] = [
    [/^\[Result[^\]]*edit_note\]/m, 'The keel is **larch** in my proposal.'],
    [
      /^\[Result[^\]]*read_note\]/m,
      `{"tool": "edit_note", "params": {"path": "Boats/Heron.md", "oldText": "Her keel is oak & iron.", "newText": "Her keel is larch & iron.",}}`,
    ],
    [
      /^\[Result[^\]]*search_notes\]/m,
      `Found it.\n\n${block(id, [{ agent: 'notes', tool: 'read_note', params: { path: 'Boats/Heron.md' } }])}`,
    ],
    [
      /^\[Result[^\]]*getTools\]/m,
      `I search.\n\n${block(id, [{ agent: 'search', tool: 'search_notes', params: { query: 'keel' } }])}`,
    ],
    [
      /Correct the keel/,
      'I look the tools up.\n\n```json\n{"getTools": {"tools": ["search_notes", "edit_note"]}}\n```',
    ],
  ];
  return { text: answers.find(([pattern]) => pattern.test(last))?.[1] ?? 'Understood.' };
};

describe('a model without native tools', () => {
  beforeAll(
    () =>
      openChat({ ...{ vault, models }, scripted: script, settings: { model: 'ollama/scripted', modelFacts: inText } }),
    120_000,
  );
  afterAll(async () => {
    expect(workbench.errors.filter((error) => !error.includes('400'))).toEqual([]);
    await workbench.close();
  });

  it('R154@request R155@request R159@request has no declared tools, and reads of all of them by agent in its prompt', async () => {
    await chatView.ask('Correct the keel of Heron: it is larch.');
    const first = sent(0);
    expect(first.tools).toEqual([]);
    const section = sectionIn(first.system, 'tools_and_context') ?? '';
    expect(section).toMatch(/- search: finds notes and passages\n {2}Tools: .*search_notes/);
    expect(section).toMatch(/- notes: .*\n {2}Tools: .*edit_note/);
    expect(section).toContain('getTools (look up) and useTools (run)');
    expect(section).toContain('- workspaceId: "default"');
    expect(idIn(first)).not.toBe('');
    expect(new Set([0, 1, 2, 3, 4].map((index) => idIn(sent(index)))).size).toBe(1);
    expect(sent(4).system).toBe(first.system);
    for (const step of [1, 2, 3, 4]) {
      const earlier = sent(step - 1).messages;
      expect(sent(step).messages.slice(0, earlier.length)).toEqual(earlier);
    }
  });

  it('R155@request gets the parameters of the tools that it looks up', () => {
    expect(lastText(1)).toMatch(
      /^\[Result: getTools\]\nsearch_notes \(agent: search\): .*\nparams:\n- query \(string, required\)/m,
    );
  });

  it('R156@request R157@request R158@request is told what each call carries, and gets its calls back as it wrote them', () => {
    const section = sectionIn(sent(0).system, 'tools_and_context') ?? '';
    expect(section).toMatch(/- memory: .*1-3 sentences\n.*- goal: .*1-3 sentences\n.*- constraints: .*optional/);
    expect(section).toContain('calls: [{ agent: "name", tool: "name", params: { ... } }]');
    expect(section).toMatch(/Copy workspaceId and sessionId exactly\..*memory and goal.*"params"/);
    const written = `I search.\n\n${block(idIn(sent(0)), [{ agent: 'search', tool: 'search_notes', params: { query: 'keel' } }])}`;
    expect(sent(2).messages.map(({ role, text }) => [role, text])).toContainEqual(['assistant', written]);
    expect(sent(4).messages.filter(({ text }) => text === written)).toHaveLength(1);
    expect(lastText(2)).toMatch(/^\[Result: search_notes\]\n[^]*Heron/);
    expect(lastText(3)).toContain('Her keel is oak');
  });

  it('R155@dom R156@dom shows the calls as calls, with what the model said of them, and none of their JSON as its answer', async () => {
    const answer = await chatView.answers.last().innerText();
    expect(answer).toContain('The keel is larch in my proposal.');
    expect(answer).toContain('Look up search_notes, edit_note');
    expect(answer).not.toMatch(/useTools|getTools|```|sessionId/);
    for (const line of await chatView.root.locator('.docent-run-line').all()) await line.click();
    const runs = await chatView.root.locator('.docent-run-parts').allInnerTexts();
    expect(runs.join('\n')).toContain('search_notes {"query":"keel"}');
    expect(runs.join('\n')).toContain('Correct the note about Heron.');
  });

  it('R157@disk edits a note by the review, like a model with native tools', async () => {
    const before = await onDisk();
    await chatView.root.locator('.docent-review').first().waitFor();
    expect(before).toBe(vault['Boats/Heron.md']);
    await chatView.root
      .getByRole('button', { name: /^Apply/ })
      .first()
      .click();
    await until(async () => (await onDisk()) !== before, 'the note is written', 15_000);
    expect(await onDisk()).toBe(vault['Boats/Heron.md'].replace('oak', 'larch'));
  });

  it('R159@request goes on with a second message, and after the app was closed', async () => {
    const id = idIn(sent());
    await chatView.ask('Thank you.');
    expect(idIn(sent())).toBe(id);
    expect(sent().messages.map(({ role }) => role)).not.toContain('tool');
    const before = sent().messages.map(({ text }) => text);
    await reloadChat();
    await chatView.ask('And again.');
    const after = sent().messages.map(({ text }) => text);
    expect(idIn(sent())).toBe(id);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(await chatView.root.innerText()).not.toMatch(/useTools|```/);
  });

  it('R160@request gets its tools natively as soon as the user says so, and the chat goes on', async () => {
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(words.models.facts.page);
    await settings.choose(words.models.facts.toolCalling.name, words.models.facts.toolCallings.by.native);
    await settings.close();
    await chatView.ask('Now natively.');
    expect(sent().tools).toContain('search_notes');
    expect(sent().system).not.toContain('tools_and_context');
    const { messages } = sent();
    expect(messages.flatMap(({ calls }) => calls.map(({ name }) => name))).toEqual([
      'getTools',
      'search_notes',
      'read_note',
      'edit_note',
    ]);
    const again = await openSettingsWindow(workbench);
    await again.openPage(words.models.facts.page);
    await again.choose(words.models.facts.toolCalling.name, words.models.facts.toolCallings.by.text);
    await again.close();
    await chatView.ask('And in text.');
    expect(sent().tools).toEqual([]);
    expect(sent().messages.flatMap(({ calls }) => calls)).toEqual([]);
    const log = await readLog(workbench);
    expect(log.filter(({ k }) => k === 'failure')).toEqual([]);
    expect(workbench.errors).toEqual([]);
  });

  it('R158@request R158@dom hears of a call that was cut off, like the user, and tries once more', async () => {
    const half = '```json\n{"useTools": {"calls": [{"tool": "edit_note", "params": {"newText": "and th';
    const scripted = [{ text: half }, { text: half }, { text: 'Never.' }];
    await beginChat('ollama/scripted', scripted);
    await chatView.ask('Correct the keel.');
    expect(lastText(1)).toBe(`[Error: useTools]\n${words.failures.textCalls.cut}`);
    expect(sentRequests(workbench.model)).toHaveLength(2);
    expect(await chatView.failures.last().innerText()).toContain(words.failures.textCallsUnread);
    expect(await chatView.root.innerText()).toContain(words.tools.unreadCallTitle);
  });

  it('has a call that is never seen in the answer while it arrives', async () => {
    const scripted: Script = ({ index }) =>
      index === 0
        ? {
            text: `I search in these notes.\n\n${block('x', [])}`
              .replace('"sessionId":"x",', '')
              .replace('[]', '[{"tool":"search_notes","params":{"query":"keel"}}]'),
            delayMs: 15,
          }
        : { text: 'Done.' };
    await beginChat('ollama/scripted', scripted);
    const { page } = workbench;
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { seenTexts: seen });
      const look = (): void =>
        document.querySelectorAll('.docent-answer').forEach((node) => seen.add(node.textContent));
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await chatView.ask('What is the keel of?');
    const seen = await page.evaluate(() => [...(window as unknown as { seenTexts: Set<string> }).seenTexts]);
    expect(seen.some((text) => text.startsWith('I search in these') && !text.includes('Done.'))).toBe(true);
    expect(seen.filter((text) => /useTools|```|[{}]/.test(text))).toEqual([]);
  });

  it('R160@request has its calls in text, one step away, when the server refuses native tools', async () => {
    const scripted: Script = (request) =>
      (request.body as { tools?: unknown }).tools === undefined
        ? { text: 'Understood.' }
        : { status: 400, errorBody: { error: 'registry.ollama.ai/library/x does not support tools' } };
    await beginChat('ollama/other', scripted);
    await chatView.ask('Hello?');
    expect(sent().tools).toContain('search_notes');
    await chatView.failures.last().getByRole('button', { name: words.models.callToolsInText }).click();
    await chatView.answers.last().getByText('Understood.').waitFor();
    expect(sent().tools).toEqual([]);
    expect(sent().system).toContain('<tools_and_context>');
    await chatView.ask('And again?');
    expect(sent().tools).toEqual([]);
  });
});

describe('a call', () => {
  afterEach(async () => {
    expect(workbench.errors.filter((error) => !error.includes('400'))).toEqual([]);
    await workbench.close();
  });

  it.each([false, true])('R160 in text follows from what Ollama reports of a model (phone: %s)', async (phone) => {
    const server = await startScriptedModel({
      script: () => ({ text: 'Understood.' }),
      windows: { capabilities: ['completion'] },
    });
    try {
      const providers = { ollama: { baseUrl: `${server.url}/ollama`, keyName: '', models: [] } };
      await openChat({ vault, phone, scripted: true, settings: { model: 'ollama/scripted', providers } });
      const settings = await openSettingsWindow(workbench);
      await settings.openPage('Ollama');
      await settings.row('Test connection').getByRole('button').click();
      await settings.row('Test connection').getByText('Connected. 1 model found.').waitFor();
      await settings.back();
      await settings.openPage(words.models.facts.page);
      const options = settings.row(words.models.facts.toolCalling.name).locator('option');
      expect(await options.allInnerTexts()).toEqual(['Automatic (in text)', 'Native', 'In text']);
      await settings.close();
      await chatView.ask('Hello?');
      expect(sentRequests(server).at(-1)?.tools).toEqual([]);
      expect(sentRequests(server).at(-1)?.system).toContain('<tools_and_context>');
    } finally {
      await server.close();
    }
  });
});

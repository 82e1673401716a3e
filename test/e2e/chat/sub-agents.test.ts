/** A chat that runs subagents: what each of them is sent, what the chat gets back, and what the chat view shows. */
import type { ModelRequest, Script, ScriptStep } from '../../support/model-server';
import { helpQuestions } from '../../support/help-questions';
import { readConversation } from '../../support/model-server/read-conversation';
import { openChatView, readLogInView, type OpenedChatView } from '../driver/chat-view';
import { allText, sentRequests, type SentRequest } from '../driver/sent-request';
import { startChat } from '../driver/reach-walk';
import { closeQuiet, type OpenedWorkbench, openWorkbench } from '../driver/workbench';

jest.setTimeout(150_000);

const scout = [
  '---',
  'name: scout',
  'description: Looks for one boat.',
  'tools: [read_note]',
  '---',
  'You are the scout. Look for this: ${query}',
  '<% if (it.offers.readNote && !it.offers.editNote) { %>Read with <%= it.tools.readNote %>.<% } %>',
  'The chat is told: ${systemPrompt}',
].join('\n');
const vault = {
  'Boats/Heron.md': 'Heron leaks at the keel.\n',
  'Boats/Whimbrel.md': 'Whimbrel is dry.\n',
  'Docent/memory.md': '',
  'Docent/subagents/scout.md': scout,
  'Settings.md': 'A note of the user about the context window.\n',
};
const tasks: readonly Record<string, string>[] = [
  { name: 'scout', task: 'Does Heron leak?' },
  { name: 'generalist', task: 'Read of Whimbrel.' },
];

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

const isScout = ({ system }: SentRequest): boolean => system.includes('You are the scout.');
const isGeneralist = ({ system }: SentRequest): boolean => system.includes('You do one task');
const requests = (): SentRequest[] => sentRequests(workbench.model);

/** Answers on two levels: the chat asks both sub-agents and quotes their reports, each of them reads its boat. */
function onTwoLevels(request: ModelRequest): ScriptStep {
  const body = JSON.stringify(request.body);
  const { toolResult } = readConversation(request);
  const usage = { input: 100, output: 10 };
  const role = body.includes('You are the scout.') ? 'scout' : body.includes('You do one task') ? 'other' : 'chat';
  if (role === 'chat') {
    if (toolResult === null)
      return { toolCalls: tasks.map((each) => ({ name: 'run_subagent', arguments: each })), usage };
    const leak = /It leaks at the (\w+)/.exec(body)?.[1] ?? 'nothing';
    return { text: `The scout found a leak at the ${leak} of [[Heron]].`, usage };
  }
  const path = role === 'scout' ? 'Boats/Heron.md' : 'Boats/Whimbrel.md';
  if (toolResult === null) return { toolCalls: [{ name: 'read_note', arguments: { path } }], usage };
  const place = /leaks at the (\w+)/.exec(toolResult)?.[1];
  return { text: place === undefined ? 'It is dry.' : `It leaks at the ${place}, says [[Heron]].`, usage };
}

async function open(model: string): Promise<void> {
  workbench = await openWorkbench({ vault, scripted: onTwoLevels, settings: { model } });
  chatView = await openChatView(workbench);
}

/** Begins a new chat in which the model answers so. */
async function begin(script: Script = onTwoLevels): Promise<void> {
  await startChat({ workbench, chatView });
  workbench.model?.setScript(script);
}

const models = [
  ['without cache marks', 'openai-compatible/scripted'],
  ['with cache marks', 'anthropic/scripted'],
] as const;

describe.each(models)('%s', (name, model) => {
  beforeAll(() => open(model));
  beforeEach(() => begin());
  afterAll(() => closeQuiet(workbench));

  it('R137@request R138@request R026 answers from the reports of two sub-agents, each with its own prompt', async () => {
    const answer = await chatView.ask('Which boat leaks?');
    expect(await answer.innerText()).toContain('The scout found a leak at the keel of Heron.');

    expect(requests()).toHaveLength(6);
    const [ofScout] = requests().filter(isScout);
    const [ofGeneralist] = requests().filter(isGeneralist);
    expect(ofScout?.tools).toEqual(['read_note']);
    expect(ofScout?.system).toContain('Look for this: Does Heron leak?\nRead with read_note.\n');
    expect(ofScout?.system).toContain("The chat is told: You are the assistant in the user's Obsidian vault");
    expect(ofScout?.system).toContain('<permissions>');
    expect(ofGeneralist?.tools).not.toContain('run_subagent');
    for (const inner of requests().filter((each) => isScout(each) || isGeneralist(each))) {
      expect(allText(inner)).not.toContain('Which boat leaks?');
    }
    const reports = requests()
      .at(-1)
      ?.messages.flatMap(({ results }) => results.map(({ text }) => text));
    expect(reports).toEqual([
      'Report of the subagent scout.\nNotes it used: Boats/Heron.md.\n\nIt leaks at the keel, says [[Heron]].',
      'Report of the subagent generalist.\nNotes it used: Boats/Whimbrel.md.\n\nIt is dry.',
    ]);
  });

  if (name === 'without cache marks') {
    it('R137@request stops a sub-agent with the chat', async () => {
      await begin((request) =>
        JSON.stringify(request.body).includes('You are the scout.') ? { hang: 'headers' } : onTwoLevels(request),
      );
      await chatView.send('Which boat leaks?');
      await chatView.untilRunning();
      const scouts = (): number => requests().filter(isScout).length;
      while (scouts() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await chatView.root.locator('.docent-send.is-stop').click();
      await chatView.untilIdle();
      expect(requests().filter((each) => !isScout(each) && !isGeneralist(each))).toHaveLength(1);
      expect(scouts()).toBe(1);
    });

    it('R137@disk plugin-help answers questions about settings and chats from the user guide, and reads no note', async () => {
      const asked = (request: ModelRequest): string =>
        /Question: ([^\\]+)/.exec(JSON.stringify(request.body))?.[1] ?? 'no question';
      await begin((request) => {
        const { toolResult } = readConversation(request);
        const isHelp = JSON.stringify(request.body).includes('You answer one question about Docent');
        if (toolResult !== null) return { text: toolResult };
        if (isHelp) return { toolCalls: [{ name: 'search_notes', arguments: { query: asked(request) } }] };
        const ask = ([task]: (typeof helpQuestions)[number]) => ({ name: 'plugin-help', task });
        return { toolCalls: helpQuestions.map((each) => ({ name: 'run_subagent', arguments: ask(each) })) };
      });
      await chatView.ask('Ask the help all of it.');
      const reports = (await readLogInView(workbench))
        .filter(({ k }) => k === 'tool-result')
        .map(({ b }) => String(b['text']));
      expect(reports).toHaveLength(helpQuestions.length);
      for (const [index, [, setting]] of helpQuestions.entries()) expect(reports[index]).toContain(setting);
      expect(reports.join('\n')).not.toContain('A note of the user');
    });
    return;
  }

  it('R137@dom R065 shows the steps of each call folded, and keeps them with the tokens they took over a reload', async () => {
    await chatView.ask('Which boat leaks?');
    const look = async (): Promise<void> => {
      await chatView.root.locator('.docent-run-line').first().click();
      const titles = await chatView.root.locator('.docent-call-title').allInnerTexts();
      expect(titles).toEqual(['Ask scout: Does Heron leak?', 'Ask generalist: Read of Whimbrel.']);
      const steps = chatView.root.locator('.docent-steps').first();
      expect(await steps.getByText('Read Heron').isVisible()).toBe(false);
      await steps.locator('summary').press('Enter');
      await steps.getByText('Read Heron').waitFor();
      expect(await steps.innerText()).toContain('Heron leaks at the keel.');
      await steps.scrollIntoViewIfNeeded();
    };
    await look();
    const results = (await readLogInView(workbench)).filter(({ k }) => k === 'tool-result');
    expect(results.map(({ b }) => b['usage'])).toEqual([
      expect.objectContaining({ inputTokens: 200, outputTokens: 20 }),
      expect.objectContaining({ inputTokens: 200, outputTokens: 20 }),
    ]);
    await workbench.reload();
    chatView = await openChatView(workbench);
    await look();
  });
});

/** Plan as a person meets it: asked first, then the notes are read and nothing else, then the plan lies in its folder. */
import { readingTools } from '../../../src/core/markup/variables';
import { words } from '../../../src/text';
import { readRequest, type Script, type ScriptedToolCall } from '../../support/model-server';
import { activeFile, type OpenedChatView, openChatView, until } from '../driver/chat-view';
import { lastSent, type SentRequest, sentRequests } from '../driver/sent-request';
import { closeQuiet, type OpenedWorkbench, type OpenOptions, openWorkbench } from '../driver/workbench';
import { treeOf } from '../driver/writing-walk';

jest.setTimeout(120_000);

const vault: Record<string, string> = {
  'Crew.md': '# Crew\n\nRui steers.\n',
  'Watches/Night.md': '# Night\n\nMhairi from ten.\n',
};
const question = { question: 'Which watch is it about?', options: ['The day', 'The night'] };
const plan =
  '# Watches\n\n1. `Watches/Night.md`: begin at nine, not ten.\n2. `Crew.md`: say who steers at night.\n3. Check: both notes name the same people.\n';
const ask: ScriptedToolCall = { name: 'ask_user', arguments: question };
const explore: ScriptedToolCall[] = [
  { name: 'read_notes', arguments: { paths: ['Crew.md', 'Watches/Night.md'] } },
  { name: 'search_notes', arguments: { query: 'night watch' } },
];
/** What a model may try that does not keep to the phases. */
const trespasses: ScriptedToolCall[] = [
  { name: 'edit_note', arguments: { path: 'Crew.md', oldText: 'Rui steers.', newText: 'Mhairi steers.' } },
  { name: 'create_note', arguments: { path: 'Watches/Day.md', text: 'Too early.\n' } },
  { name: 'delete_note', arguments: { path: 'Crew.md' } },
];

/** The results since the model last spoke; some formats send each as a message of its own. */
function newResults({ messages }: SentRequest): string[] {
  const spoken = messages.map(({ role }) => role === 'assistant' || role === 'model').lastIndexOf(true);
  return messages.slice(spoken + 1).flatMap(({ results }) => results.map(({ text }) => text));
}

const planner =
  (folder: string): Script =>
  (request) => {
    const read = readRequest(request);
    const last = read.messages.at(-1);
    const results = newResults(read).join('\n');
    const asked = (said: string): boolean => last?.results.length === 0 && last.text.includes(said);
    if (asked('Plan the watches')) return { toolCalls: [ask] };
    if (asked('The night')) return { toolCalls: explore };
    if (last?.results.length === 0) return { text: 'Carried out.' };
    if (results.includes('Mhairi from ten')) return { toolCalls: trespasses };
    if (results.includes('permission mode')) {
      return { toolCalls: [{ name: 'create_note', arguments: { path: `${folder}/plans/Watches.md`, text: plan } }] };
    }
    if (results.endsWith('Watches.md: Applied.')) {
      return { toolCalls: [{ name: 'exit_plan_mode', arguments: { path: `${folder}/plans/Watches.md` } }] };
    }
    return { text: 'Carried out.' };
  };

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(options: OpenOptions = {}, folder = 'Docent'): Promise<void> {
  const settings = { permission: 'plan', agentFolder: folder, contextWindow: 200_000 };
  workbench = await openWorkbench({ vault, scripted: planner(folder), settings, ...options });
  chatView = await openChatView(workbench);
}

afterEach(() => closeQuiet(workbench));

async function answer(): Promise<void> {
  await chatView.send('Plan the watches.');
  await chatView.root
    .getByRole('group', { name: question.question })
    .getByRole('button', { name: 'The night' })
    .click();
  await chatView.root.getByRole('group', { name: words.asking.planWaits }).waitFor();
  await chatView.untilIdle();
}

it('R074@request R076@request R079@disk nothing is read before the question is answered, and what is read then is read by reading tools alone', async () => {
  await open();
  const before = await treeOf(workbench);
  await chatView.send('Plan the watches.');
  const group = chatView.root.getByRole('group', { name: question.question });
  await group.waitFor();
  await chatView.untilIdle();
  // The turn ends with the question: the model hears nothing more, and has read no note.
  expect(sentRequests(workbench.model)).toHaveLength(1);
  const [first] = sentRequests(workbench.model);
  const order = ['Requirements:', 'Write no plan yet', 'Exploration: use reading tools only', 'Design:', 'Approval:'];
  const places = order.map((phrase) => first?.system.indexOf(phrase) ?? -1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(JSON.stringify(first)).not.toContain('Mhairi from ten');
  const tools = first?.tools ?? [];
  expect(readingTools.filter((name) => name !== 'recall_output' && !tools.includes(name))).toEqual([]);
  expect(['move_note', 'delete_note', 'set_properties'].filter((name) => tools.includes(name))).toEqual([]);
  await group.getByRole('button', { name: 'The night' }).click();
  await chatView.root.getByRole('group', { name: words.asking.planWaits }).waitFor();
  await chatView.untilIdle();
  const heard = sentRequests(workbench.model).map(newResults);
  const exploring = heard.find((results) => results.some((text) => text.includes('Mhairi from ten')));
  expect(exploring).toHaveLength(explore.length);
  // What a model tries besides is refused in words, seen by the user, and leaves every note as it is.
  const refused = heard.find((results) => results.some((text) => text.includes('permission mode')));
  expect(refused?.map((text) => /permission mode Plan|No tool has the name/i.test(text))).toEqual([true, true, true]);
  // The plan alone was written, as the mode allows; nothing waits.
  expect(await chatView.root.locator('.docent-review.is-waiting').count()).toBe(0);
  expect(await chatView.root.locator('.docent-review .docent-review-title').allInnerTexts()).toEqual([
    expect.stringContaining('Watches'),
  ]);
  expect(await chatView.root.locator('.docent-run-failed').count()).toBeGreaterThan(0);
  expect(await treeOf(workbench)).toEqual(before);
});

it.each([
  ['Docent', {}],
  ['Helper/Agent', { phone: true }],
] as const)(
  'R077@disk R077@request the plan, with its paths, lies as a note in the plans of %s, and opens from the chat',
  async (folder, options) => {
    await open(options, folder);
    await answer();
    const path = `${folder}/plans/Watches.md`;
    expect(lastSent(workbench.model).system).toContain(`${folder}/plans/`);
    expect(await workbench.readNote(path)).toBe(plan);
    for (const note of Object.keys(vault)) expect(plan).toContain(note);
    const waits = chatView.root.getByRole('group', { name: words.asking.planWaits });
    await waits.getByRole('link', { name: path }).or(waits.getByText(path)).first().click();
    await until(async () => (await activeFile(workbench)) === path, 'the plan is open');
    // A new start finds both the note and the question again.
    await workbench.reload();
    chatView = await openChatView(workbench);
    await chatView.root.getByText(path).first().waitFor();
    await chatView.root.getByRole('button', { name: words.asking.approvePlan }).click();
    await chatView.answers.getByText('Carried out.').waitFor();
    expect(lastSent(workbench.model).messages.at(-1)?.text).toContain(words.asking.planApproved);
  },
);

/** A two-step tool turn through each wire format, from what the user types to what the server gets and the disk keeps. */
import { chatView, workbench } from '../driver/open-chat';
import { sentRequests, spokenTexts } from '../driver/sent-request';
import { beginChat, shareModels, readOwnLog } from './model-walk';

jest.setTimeout(60_000);

const vault = { 'Now.md': '# Now\n\nThe blue boat is on the hard.\n', 'Other.md': 'Something else.\n' };

shareModels({ vault });

const providers = [
  { provider: 'anthropic', resultRole: 'user', path: '/anthropic/v1/messages', returned: 'signature-0' },
  { provider: 'openai-compatible', resultRole: 'tool', path: '/openai/v1/chat/completions', returned: 'Look first.' },
  { provider: 'openai', resultRole: 'tool', path: '/openai/v1/responses', returned: 'sealed-0' },
  {
    provider: 'gemini',
    resultRole: 'user',
    path: '/gemini/v1beta/models/scripted:streamGenerateContent',
    returned: 'signature-0',
  },
  { provider: 'ollama', resultRole: 'tool', path: '/ollama/api/chat', returned: 'Look first.' },
];

it.each(providers)(
  'through $provider: the call runs, its result goes back in its own role, and the answer is kept with its counts',
  async ({ provider, resultRole, path, returned }) => {
    await beginChat(`${provider}/scripted`, [
      { reasoning: 'Look first.', toolCalls: [{ name: 'read_note', arguments: { path: 'Now.md' } }] },
      { text: 'The boat is **ashore**.', usage: { input: 900, output: 12 } },
    ]);
    const answer = await chatView.ask('Where is the boat?');
    expect(await answer.innerText()).toContain('The boat is ashore.');
    expect(await chatView.failures.count()).toBe(0);
    const [first, second, ...more] = sentRequests(workbench.model);
    expect(more).toEqual([]);
    expect(first && spokenTexts(first)).toEqual(['Where is the boat?']);
    expect(first?.messages.at(-1)?.role).toBe('user');
    expect(first?.system.length).toBeGreaterThan(100);
    expect(second?.system).toBe(first?.system);
    expect(second?.tools).toEqual(first?.tools);
    expect(second?.tools).toEqual([...(second?.tools ?? [])].sort());
    expect(first?.tools).toContain('read_note');
    const [question, call, result] = second?.messages.slice(-3) ?? [];
    expect(question?.text).toContain('Where is the boat?');
    expect(call?.calls).toEqual([{ id: expect.any(String), name: 'read_note', args: { path: 'Now.md' } }]);
    expect([question?.role, call?.role, result?.role]).toEqual(['user', 'assistant', resultRole]);
    expect(result?.results[0]?.id).toBe(call?.calls[0]?.id);
    expect(result?.results[0]?.text).toContain('The blue boat is on the hard.');
    const posts = workbench.model?.requests.filter(({ method }) => method === 'POST') ?? [];
    expect(posts.map((request) => request.path)).toEqual([path, path]);
    // What the provider signed or sealed came back to it.
    expect(JSON.stringify(posts[1]?.body)).toContain(returned);
    const records = await readOwnLog();
    const last = records.filter(({ k }) => k === 'assistant').at(-1);
    expect(last?.b).toMatchObject({ end: 'complete', usage: { inputTokens: 900, outputTokens: 12 } });
    expect(workbench.errors).toEqual([]);
    expect(workbench.outsideRequests).toEqual([]);
  },
);

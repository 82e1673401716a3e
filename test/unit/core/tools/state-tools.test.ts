/** recall_output and load_state (what save_state does stands with the writes of a chat): what they give back, and what they say when there is nothing. */
import { loadState } from '../../../../src/core/tools/load-state';
import { recallOutput } from '../../../../src/core/tools/recall-output';
import type { Tool, ToolPlace } from '../../../../src/core/tools/tool';
import { goalBench } from '../../../support/goals';
import { fakeVault, type FakeVault } from '../../../support/fake-vault';
import { noSubagents } from '../../../support/subagents';

const never = new AbortController().signal;
const report = Array.from({ length: 500 }, (_, line) => `line ${line + 1}`).join('\n');

function run(tool: Tool, args: unknown, vault: FakeVault = fakeVault({}), more: Partial<ToolPlace> = {}) {
  const place: ToolPlace = { skillFolders: [], goals: goalBench().goals, subagents: noSubagents, ...more };
  return tool.run(tool.parameters.parse(args), vault, never, place);
}

const outputs = { tokens: 300, read: (handle: string) => (handle === 'e1' ? report : null) };

describe('recall_output', () => {
  it('R243 gives back every line of a result, page by page, each page within the cap', async () => {
    const lines: string[] = [];
    for (let next: number | undefined = 1; next !== undefined;) {
      const page = await run(recallOutput, { handle: 'e1', start_line: next }, undefined, { outputs });
      if (!page.ok) throw new Error(page.failure.words);
      const [head = '', ...rows] = page.value.text.split('\n');
      expect(page.value.text.length / 4).toBeLessThanOrEqual(outputs.tokens);
      lines.push(...rows);
      const found = /start_line (\d+)/.exec(head)?.[1];
      next = found === undefined ? undefined : Number(found);
    }
    expect(lines.join('\n')).toBe(report);
  });

  it('R243 says so when there is no such result, or none at all', async () => {
    expect(await run(recallOutput, { handle: 'x' }, undefined, { outputs })).toMatchObject({ ok: false });
    expect(await run(recallOutput, { handle: 'e1' })).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
  });

  it('R243 gives a line that is longer than a page in pieces', async () => {
    const long = 'ü'.repeat(5_000);
    const page = await run(recallOutput, { handle: 'e1' }, undefined, { outputs: { tokens: 300, read: () => long } });
    expect(page).toMatchObject({ ok: true });
    if (page.ok) expect(Buffer.byteLength(page.value.text) / 4).toBeLessThanOrEqual(300);
  });
});

describe('load_state', () => {
  it('R251 loads by name, lists what there is, and never another note', async () => {
    const vault = fakeVault({ 'Docent/states/Boat.md': '---\nx: 1\n---\nOrder bolts.', 'Boat.md': 'secret' });
    const place = { agentFolder: 'Docent' };
    expect(await run(loadState, { name: 'boat' }, vault, place)).toMatchObject({
      ok: true,
      value: { text: 'Order bolts.' },
    });
    expect(await run(loadState, {}, vault, place)).toMatchObject({ ok: true, value: { text: 'Boat' } });
    expect(await run(loadState, { name: 'Boat.md' }, vault, place)).toMatchObject({ ok: false });
    expect(await run(loadState, {}, fakeVault({}), place)).toMatchObject({ ok: false });
  });
});

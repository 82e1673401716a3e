/** @jest-environment node */
import { metaTools } from '../../../../src/core/turn/read-text-calls';
import { runToolCall, titleOfCall } from '../../../../src/core/turn/run-tool-calls';
import { words } from '../../../../src/text';
import { tools as allTools } from '../../../../src/core/tools';
import { fakeVault } from '../../../support/fake-vault';
import { goalBench } from '../../../support/goals';
import { noSubagents } from '../../../support/subagents';
import { testTools } from '../../../support/test-tools';

describe('the title of a call', () => {
  const { tools } = testTools();
  const [first] = tools;
  const title = (name: string, argumentsText: string): string => titleOfCall({ name, argumentsText }, tools);

  it('is the name of a tool that is not offered, or whose arguments cannot be read', () => {
    expect(title('fly', '{}')).toBe('fly');
    expect(title(first?.name ?? '', '{"')).toBe(first?.name);
    expect(title(first?.name ?? '', '[1]')).toBe(first?.name);
  });

  it('R155 names a call in text that could not be read as such, whatever it contains', () => {
    for (const text of ['{}', '{"calls": []}', 'no JSON'])
      expect(title(metaTools.run, text)).toBe(words.tools.unreadCallTitle);
  });

  it('R155 names the tools that a model looks up', () => {
    expect(title(metaTools.look, '{"tools": ["read_note"]}')).toBe(words.tools.lookUpTitle(['read_note']));
    expect(title(metaTools.look, '{"tools": 1}')).toBe(metaTools.look);
  });
});

describe('the arguments of a call', () => {
  const run = async (name: string, args: object): Promise<string> => {
    const call = { type: 'tool-call', id: 'a', name, argumentsText: JSON.stringify(args) } as const;
    const place = { skillFolders: [], goals: goalBench().goals, subagents: noSubagents };
    const vault = fakeVault({ 'A.md': 'one\ntwo\nthree', 'Year/2024.md': 'x' });
    return (await runToolCall(call, allTools, vault, new AbortController().signal, place)).text;
  };

  it('may be null where one is left out, and a number in quotation marks', async () => {
    expect(await run('read_note', { path: 'A', heading: null, startLine: '2', endLine: 2 })).toBe(
      'A.md, line 2 of 3.\n\ntwo',
    );
    expect(await run('find_notes', { name: '2024', limit: '5', tag: null })).toContain('Year/2024.md');
  });

  it('are refused as they were written where that does not mend them', async () => {
    for (const args of [{ path: null }, { path: 'A', startLine: 'two' }, { path: 'A', startLine: '0' }, [1]])
      expect(await run('read_note', args)).toContain('read_note');
    expect(await run('list_folder', ['A'])).toContain('list_folder');
  });
});

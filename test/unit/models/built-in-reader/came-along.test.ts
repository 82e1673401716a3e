/** What comes along with messages and results is not quoted as if a note or the user had said it. */
import { Hooks } from '../../../../src/core/hooks/hooks';
import { tools } from '../../../../src/core/tools';
import { createBuiltInReader } from '../../../../src/models/built-in-reader/built-in-reader';
import { chatBench, rested, shown, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { testTools } from '../../../support/test-tools';

it('R140 R199 quotes the note and not the context file of its folder or the text of hooks', async () => {
  const vault = fakeVault({
    'Food/AGENTS.md': 'Weights are always in grams. Spoons are level.',
    'Food/Stew.md': '# Stew\nStew takes eighteen minutes. It feeds four people.',
  });
  const hooks = new Hooks(() => () => undefined);
  hooks.register({
    id: 'a',
    label: 'A',
    beforeAgent: () => 'Ask for soup instead.',
    afterTool: () => 'Soup is better.',
  });
  const bench = chatBench({ vault, hooks, kit: { ...testTools(), tools } });
  bench.model = createBuiltInReader();
  const chat = await bench.open();
  await chat.send('Summarise Stew', []);
  const state = await until(chat, rested);
  const [, answer = ''] = shown(state);
  expect(bench.store.linesOf('c1').join()).toContain('Spoons are level');
  expect(answer).toContain('> Stew takes eighteen minutes.');
  expect(answer.replace(/\[\w+: [^]*?\]/g, '')).not.toMatch(/grams|Soup|soup/);
});

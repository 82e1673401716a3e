/** A selected prompt that is not a note of the user's. */
import { checkBench } from './check-bench';

const registered = (id: string) =>
  ({ 'built-in/shorten': { source: 'static' }, 'Docent/prompts/Gone.md': { source: 'config' } })[id];

it('R259 R176 one that ships with Docent is there, and what the registry holds of a lost note is gone', async () => {
  const { run } = checkBench({}, { registered });
  const levels = async (selectedPrompt: string) => (await run('prompts', { selectedPrompt })).map(({ level }) => level);
  expect(await levels('built-in/shorten')).toEqual(['ok']);
  expect(await levels('Docent/prompts/Gone.md')).toEqual(['warning']);
  expect(await levels('built-in/unknown')).toEqual(['warning']);
});

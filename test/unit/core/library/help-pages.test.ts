import { helpVault } from '../../../../src/core/library/subagents';
import { passageIndexFor } from '../../../../src/core/search/passage-index';
import { parseSearchResult } from '../../../../src/core/tools/search-result';
import { words } from '../../../../src/text';
import { guide } from '../../../../src/text/guide';
import { helpQuestions, otherAnswers, userQuestions } from '../../../support/help-questions';
import { runTool } from '../tools/tool-fixture';

it.each(helpQuestions)('the user guide answers “%s”', async (question, name) => {
  const found = await runTool(helpVault(), 'search_notes', { query: question });
  expect(found).toContain(name);
});

it('has the pages of the list, and reads them with the usual tools', async () => {
  const vault = helpVault();
  expect(vault.files().map(({ path }) => path)).toEqual(Object.keys(guide).sort());
  const outline = await runTool(vault, 'note_outline', { path: 'Settings' });
  expect(outline).toContain(words.settings.tier);
  expect(await runTool(vault, 'read_note', { path: 'Settings', heading: words.settings.tier })).toContain(
    words.settings.tierDesc,
  );
  expect(await runTool(vault, 'read_note', { path: 'Diary' })).toMatch(/^not-found/);
});

it('the guide is indexed once for all searches', async () => {
  const vault = helpVault();
  await runTool(vault, 'search_notes', { query: 'context window' });
  const index = passageIndexFor(vault);
  expect(index.noteCount).toBe(Object.keys(guide).length);
  expect(vault.files().filter((entry) => !index.isCurrent(entry))).toEqual([]);
});

it('a search of the guide finds what answers nearly all questions of users, mostly among the first three', async () => {
  const placed = new Map<string, number>();
  for (const [question, page, heading] of userQuestions) {
    const result = parseSearchResult(await runTool(helpVault(), 'search_notes', { query: question }));
    const answers = [[page, heading] as const, ...(otherAnswers[question] ? [otherAnswers[question]] : [])];
    const isAnswer = ({ path, trail }: { readonly path: string; readonly trail: readonly string[] }): boolean =>
      answers.some(
        ([name, title]) =>
          path === `${name}.md` && (title === '' || trail.some((each) => each.replace(' ›', '') === title)),
      );
    placed.set(question, result?.passages.findIndex(isAnswer) ?? -1);
  }
  const within = (count: number): number => [...placed.values()].filter((at) => at >= 0 && at < count).length;
  if (process.env['SHOW_MISSED']) {
    const missed = [...placed].filter(([, at]) => at < 0 || at > 2);
    process.stdout.write(`first ${within(1)}, of three ${within(3)}, of eight ${within(8)} of ${placed.size}\n`);
    process.stdout.write(`${missed.map(([question, at]) => `${at} ${question}`).join('\n')}\n`);
  }
  expect(placed.size).toBe(50);
  expect(within(3)).toBeGreaterThanOrEqual(35);
  expect(within(8)).toBeGreaterThanOrEqual(45);
  expect(placed.get('How do I switch off a part of the prompt?')).toBeLessThan(3);
});

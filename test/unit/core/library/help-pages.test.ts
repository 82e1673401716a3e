import { helpVault } from '../../../../src/core/library/help-pages';
import { words } from '../../../../src/text';
import { guide } from '../../../../src/text/guide';
import { helpQuestions } from '../../../support/help-questions';
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

/** The whole system prompt of the flat profile, with everything switched on: the order of seed 004 (R144). */
import { SystemPromptBuilder } from '../../src/core/prompt/system-prompt-builder';
import { everyOption, loadWorkspace, readNote } from './every-option';
import { expectGolden } from './golden';

describe('the flat profile', () => {
  it('R144 keeps its order and its shape', async () => {
    const prompt = await new SystemPromptBuilder(readNote, loadWorkspace).build(everyOption);
    expectGolden('flat-profile.txt', prompt ?? '');
  });
});

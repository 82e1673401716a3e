/** The whole prompt that the builder makes for requests without a history, with everything switched on (R144). */
import { SystemPromptBuilder } from '../../src/core/prompt/system-prompt-builder';
import { everyOption, loadWorkspace, readNote } from './every-option';
import { expectGolden } from './golden';

describe('a built prompt', () => {
  it('R144 keeps its order and its shape', async () => {
    const prompt = await new SystemPromptBuilder(readNote, loadWorkspace).build(everyOption);
    expectGolden('built-prompt.txt', prompt ?? '');
  });
});

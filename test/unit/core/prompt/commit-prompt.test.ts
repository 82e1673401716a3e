/** The instruction for a commit message. */
import { commitPrompt } from '../../../../src/core/prompt/commit-prompt';

describe('the commit prompt', () => {
  it('R232 asks for a type, the imperative, fifty characters, lines of seventy-two, and the message alone', () => {
    const text = commitPrompt();
    for (const wanted of [
      /^Describe these changes/,
      /type: add, edit/,
      /imperative/,
      /within 50/,
      /most 72/,
      /alone/,
    ]) {
      expect(text).toMatch(wanted);
    }
  });

  it('R263 has the user’s own rules in place of ours', () => {
    expect(commitPrompt('Write haikus.\n')).toBe(
      'Describe these changes to the vault as a commit message.\n\nWrite haikus.',
    );
    expect(commitPrompt('  ')).toBe(commitPrompt());
  });
});

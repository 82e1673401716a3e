/** Tells of writes that a crash cut off, and settles them as the user chooses; each stays until it is answered. */
import { Notice } from 'obsidian';
import { describeFailure } from '../../core/ports/failure';
import type { UnclearChoice } from '../../core/session/entry';
import { words } from '../../text';
import type { CutOffWrites } from '../state/ports';

const say = words.diagnostics.writes;

/** A notice for each file, with what can be done about it. */
export function showCutOff(writes: CutOffWrites): void {
  const offered = new Map(writes.unclear().map(({ path, choices }) => [path, choices]));
  for (const [path, choices] of offered) {
    const told = createFragment((fragment) => {
      fragment.createDiv({ text: say.cutOff(path), attr: { dir: 'auto' } });
      const buttons = fragment.createDiv('docent-notice-buttons');
      for (const choice of choices) {
        const button = buttons.createEl('button', { text: say.choices[choice] });
        button.addEventListener('click', () => void settleWrite(writes, path, choice));
      }
    });
    // It would be gone before a decision is made.
    new Notice(told, 0);
  }
}

export async function settleWrite(writes: CutOffWrites, path: string, choice: UnclearChoice): Promise<void> {
  // It may have been settled elsewhere since it was offered.
  if (!writes.unclear().some((each) => each.path === path)) return;
  const settled = await writes.settleAt(path, choice);
  new Notice(settled.ok ? say.settled(path)[choice] : describeFailure(settled.failure));
}

/** Commands of the app that come and go with the prompts. */
import type { Command } from 'obsidian';
import type { OfferedPrompt } from '../../../../src/core/library/prompts';
import { words } from '../../../../src/text';
import { PromptCommands } from '../../../../src/ui/prompts/prompt-commands';

const own = (file: string, name = file, folder = 'Docent'): OfferedPrompt => ({
  id: `${folder}/prompts/${file}.md`,
  name,
  description: '',
  source: 'config',
});
const builtIn: OfferedPrompt = { id: 'built-in/shorten', name: 'Shorten', description: '', source: 'static' };

function bench() {
  const commands = new Map<string, Command>();
  const log: string[] = [];
  const ran: string[] = [];
  const plugin = {
    addCommand: (command: Command) => {
      log.push(`+${command.id}`);
      commands.set(command.id, command);
      return command;
    },
    removeCommand: (id: string) => {
      log.push(`-${id}`);
      commands.delete(id);
    },
  };
  const state = { offered: [] as readonly OfferedPrompt[] };
  const kept = new PromptCommands(
    plugin,
    () => state.offered,
    (prompt) => Promise.resolve(void ran.push(prompt.id)),
  );
  const show = (...offered: OfferedPrompt[]): string[] => {
    log.splice(0);
    state.offered = offered;
    kept.refresh();
    return [...log];
  };
  return { commands, show, ran };
}

it('R129 there is one for each prompt, and only what changed is touched', () => {
  const { commands, show } = bench();
  expect(show(own('Plan'), builtIn)).toEqual(['+prompt-Plan', '+prompt-built-in/shorten']);
  expect(show(own('Plan'), builtIn)).toEqual([]);
  expect(show(builtIn, own('Tidy'))).toEqual(['-prompt-Plan', '+prompt-Tidy']);
  expect(commands.get('prompt-Tidy')?.name).toBe(words.prompts.run('Tidy'));
});

it('R129 a command keeps its id when the prompt gets another name, or the agent folder moves', () => {
  const { commands, show } = bench();
  show(own('Plan'));
  expect(show(own('Plan', 'Plan my week'))).toEqual(['-prompt-Plan', '+prompt-Plan']);
  expect(commands.get('prompt-Plan')?.name).toBe(words.prompts.run('Plan my week'));
  expect(show(own('Plan', 'Plan my week', 'Agent'))).toEqual([]);
});

it('R129 runs the prompt as it stands now', () => {
  const { commands, show, ran } = bench();
  show(own('Plan'));
  show(own('Plan', 'Plan', 'Agent'));
  void commands.get('prompt-Plan')?.callback?.();
  expect(ran).toEqual(['Agent/prompts/Plan.md']);
});

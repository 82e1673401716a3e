/** PromptCommands: a command of the app for each prompt that can be used, added and removed as prompts come and go. */
import type { Plugin } from 'obsidian';
import type { OfferedPrompt } from '../../core/library/prompts';
import { baseName } from '../../core/library/user-notes';
import { words } from '../../text';

export class PromptCommands {
  /** Names as they stand in the app, by the command's id. */
  private readonly added = new Map<string, string>();
  private wanted: ReadonlyMap<string, OfferedPrompt> = new Map();

  constructor(
    private readonly plugin: Pick<Plugin, 'addCommand' | 'removeCommand'>,
    private readonly offered: () => readonly OfferedPrompt[],
    private readonly run: (prompt: OfferedPrompt) => Promise<void>,
  ) {}

  /** A command keeps its id, and with it its hotkey, as long as the prompt's note keeps its place. */
  refresh(): void {
    this.wanted = new Map(this.offered().map((prompt) => [idOf(prompt), prompt]));
    for (const [id, name] of this.added) {
      if (this.wanted.get(id)?.name === name) continue;
      this.plugin.removeCommand(id);
      this.added.delete(id);
    }
    for (const [id, { name }] of this.wanted) {
      if (this.added.has(id)) continue;
      this.added.set(id, name);
      this.plugin.addCommand({ id, name: words.prompts.run(name), callback: () => void this.runNow(id) });
    }
  }

  private async runNow(id: string): Promise<void> {
    const prompt = this.wanted.get(id);
    if (prompt !== undefined) await this.run(prompt);
  }
}

/** The agent folder is no part of it, since it can be moved. */
function idOf({ id, source }: OfferedPrompt): string {
  return `prompt-${source === 'config' ? baseName(id) : id}`;
}

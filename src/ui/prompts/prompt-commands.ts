/** PromptCommands: an Obsidian command per prompt that can be used, added and removed as prompts come and go. */
import { Notice, type Plugin } from 'obsidian';
import type { OfferedPrompt } from '../../core/library/prompts';
import { baseName } from '../../core/library/user-notes';
import { formatMention } from '../../core/mentions/mention-text';
import { describeFailure } from '../../core/ports/failure';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { ChatView } from '../chat/chat-view';
import type { PromptsPorts } from '../state/ports';
import { findEmptyPrompts } from './empty-values';
import { textOfPrompt } from './use-prompts';

export class PromptCommands {
  /** The names of the commands in Obsidian, by command id. */
  private readonly added = new Map<string, string>();
  private wanted: ReadonlyMap<string, OfferedPrompt> = new Map();

  constructor(
    private readonly plugin: Pick<Plugin, 'addCommand' | 'removeCommand'>,
    private readonly offered: () => readonly OfferedPrompt[],
    private readonly run: (prompt: OfferedPrompt) => Promise<void>,
  ) {}

  /** Updates the commands. A command keeps its id, and with it its hotkey, as long as its note keeps its path. */
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

/** Returns the command id. The agent folder is not part of it, since it can be moved. */
function idOf({ id, source }: OfferedPrompt): string {
  return `prompt-${source === 'config' ? baseName(id) : id}`;
}

export interface RunPromptPorts {
  openChatView(): Promise<ChatView>;
  readonly ports: Pick<PromptsPorts, 'vault' | 'registry' | 'readNote' | 'valuesFor'>;
}

/** Runs a prompt in the chat view: sends it at once, or puts it into the draft if something is missing. */
export async function runPrompt({ id, name }: OfferedPrompt, outside: RunPromptPorts): Promise<void> {
  const { ports } = outside;
  const view = await outside.openChatView();
  const { signal } = new AbortController();
  if ((await textOfPrompt(id, ports, signal)) === null) {
    const read = await ports.readNote(id, signal);
    const isWaiting = !read.ok && read.failure.action === 'review-instructions';
    new Notice(isWaiting ? describeFailure(read.failure) : words.prompts.notThere(name));
    return;
  }
  const mention: Mention = { kind: 'prompt', id, label: name };
  const empty = await findEmptyPrompts([mention], null, ports);
  if (empty.length === 0) {
    await view.sendWithoutDraft(formatMention(mention, '/'), [mention]);
    return;
  }
  await view.addToDraft(`${formatMention(mention, '/')} `, [mention]);
  new Notice(words.prompts.notSentYet(empty.map(({ reasons }) => reasons).join(' ')));
}

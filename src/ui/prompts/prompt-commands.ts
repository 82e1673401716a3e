/** PromptCommands: a command of the app for each prompt that can be used, added and removed as prompts come and go. */
import { Notice, type Plugin } from 'obsidian';
import type { OfferedPrompt } from '../../core/library/prompts';
import { baseName } from '../../core/library/user-notes';
import { variablesIn } from '../../core/markup/variables';
import { formatMention } from '../../core/mentions/mention-text';
import type { EditorState, Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { ChatView } from '../chat/chat-view';

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

export interface RunPromptPorts {
  openChatView(): Promise<ChatView>;
  editor(): EditorState | null;
  /** Null when it is not to be had. */
  textOf(id: string): Promise<string | null>;
}

/** Runs a prompt in the pane: it is sent at once, or waits in the box for what it still wants. */
export async function runPrompt({ id, name }: OfferedPrompt, ports: RunPromptPorts): Promise<void> {
  const view = await ports.openChatView();
  const text = await ports.textOf(id);
  if (text === null) {
    new Notice(words.prompts.notThere(name));
    return;
  }
  const mention: Mention = { kind: 'prompt', id, label: name };
  const wanted = whatIsMissing(text, ports.editor());
  if (wanted === null) {
    await view.sendWithoutDraft(formatMention(mention, '/'), [mention]);
    return;
  }
  await view.addToDraft(`${formatMention(mention, '/')} `, [mention]);
  new Notice(wanted);
}

/** Arguments are wanted only of a prompt that has nothing else to work on. */
function whatIsMissing(text: string, editor: EditorState | null): string | null {
  const names = variablesIn(text);
  const selected = editor?.activeNote?.selectedText ?? '';
  if (names.includes('selection')) return selected === '' ? words.prompts.needsSelection : null;
  return names.includes('arguments') && !names.includes('activeNote') ? words.prompts.needsArguments : null;
}

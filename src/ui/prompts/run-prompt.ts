/** Runs a prompt in the pane: it is sent at once, or waits in the box for what it still wants. */
import { Notice } from 'obsidian';
import type { OfferedPrompt } from '../../core/library/prompts';
import { variablesIn } from '../../core/markup/variables';
import { written } from '../../core/mentions/mention-text';
import type { EditorState, Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { ChatView } from '../chat/chat-view';

export interface RunPromptPorts {
  openPane(): Promise<ChatView>;
  editor(): EditorState | null;
  /** Null when it is not to be had. */
  textOf(id: string): Promise<string | null>;
}

export async function runPrompt({ id, name }: OfferedPrompt, ports: RunPromptPorts): Promise<void> {
  const view = await ports.openPane();
  const text = await ports.textOf(id);
  if (text === null) {
    new Notice(words.prompts.notThere(name));
    return;
  }
  const mention: Mention = { kind: 'prompt', id, label: name };
  const wanted = whatIsMissing(text, ports.editor());
  if (wanted === null) {
    await view.sendAside(written(mention, '/'), [mention]);
    return;
  }
  await view.addToDraft(`${written(mention, '/')} `, [mention]);
  new Notice(wanted);
}

/** Arguments are wanted only of a prompt that has nothing else to work on. */
function whatIsMissing(text: string, editor: EditorState | null): string | null {
  const names = variablesIn(text);
  const selected = editor?.activeNote?.selectedText ?? '';
  if (names.includes('selection')) return selected === '' ? words.prompts.needsSelection : null;
  return names.includes('arguments') && !names.includes('activeNote') ? words.prompts.needsArguments : null;
}

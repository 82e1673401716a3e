/** AskingNotes: sets in a chat what its prompt and its workspace ask for, and asks before an empty prompt is sent. */
import type { Chat } from '../../core/chat/chat';
import { readAskedChoices } from '../../core/context/chat-choices';
import type { Mention } from '../../core/session/entry';
import type { PermissionMode } from '../../core/settings/mode';
import { words } from '../../text';
import type { ChatViewPorts } from './ports';

export class AskingNotes {
  /** Whether a message waits until the user has been asked about it. */
  isConfirming = false;
  /** The chat and its prompt that the user has agreed to send although it is empty. */
  private accepted = '';

  constructor(
    private readonly ports: ChatViewPorts,
    private readonly chat: () => Chat | null,
  ) {}

  /** Returns a chat as it was read last: again, once another device has added to it. */
  newest(chat: Chat): Chat {
    const open = this.chat();
    return open?.id === chat.id ? open : chat;
  }

  /** Sets in a chat what these prompts and workspaces ask for; the user is asked about a looser permission. */
  async follow(paths: readonly (string | null | undefined)[], inChat: Chat): Promise<void> {
    for (const path of paths) {
      const chat = this.newest(inChat);
      const note = path === null || path === undefined ? null : this.ports.askingNote(path);
      if (note === null) continue;
      const { choices } = chat;
      const place = { vault: this.ports.vault, models: this.ports.prompts.modelChoices(choices.model) };
      const asked = readAskedChoices(note, choices, place);
      if (Object.keys(asked.choices).length > 0) await chat.choose(asked.choices);
      this.ports.report(
        [
          ...(asked.changes.length === 0 ? [] : [words.prompts.asked.done(note.name, asked.changes)]),
          ...asked.problems,
        ].join(' '),
      );
      if (asked.looser !== null && (await this.allowsLooser(note.name, choices.permission, asked.looser))) {
        // It may have been read again while the user was asked.
        await this.newest(inChat).choose({ permission: asked.looser });
      }
    }
  }

  /** Sets in a chat what the prompts among these mentions ask for. */
  followPrompts(mentions: readonly Mention[], inChat: Chat): Promise<void> {
    const prompts = mentions.filter(({ kind }) => kind === 'prompt');
    return this.follow(
      prompts.map(({ id }) => id),
      inChat,
    );
  }

  private async allowsLooser(name: string, now: PermissionMode, asked: PermissionMode): Promise<boolean> {
    const { permissions, permissionGuidance: guidance } = words.asking;
    const say = words.prompts.asked;
    this.isConfirming = true;
    const answer = this.ports.prompts.confirm({
      title: say.looser(permissions[asked]),
      text: say.looserText(name, permissions[now], permissions[asked], guidance[asked]),
      action: say.allow(permissions[asked]),
    });
    return answer.finally(() => (this.isConfirming = false));
  }

  /** Asks before a prompt is sent with nothing to work on; about the prompt of a chat only once. */
  async confirmEmptyPrompts({ id: chatId, choices }: Chat, attached: readonly Mention[]): Promise<boolean> {
    const { selectedPrompt } = choices;
    if (selectedPrompt === null && !attached.some(({ kind }) => kind === 'prompt')) return true;
    if (this.isConfirming) return false;
    this.isConfirming = true;
    try {
      const { prompts } = this.ports;
      const isAccepted = this.accepted === `${chatId} ${selectedPrompt}`;
      const empty = await prompts.findEmpty(attached, isAccepted ? null : selectedPrompt);
      if (empty.length === 0) return true;
      const text = empty.map(({ reasons }) => reasons).join(' ');
      const { sendEmpty: title, sendAnyway: action } = words.prompts;
      if (!(await prompts.confirm({ title, text, action, isHarmless: true }))) return false;
      if (empty.some(({ id }) => id === selectedPrompt)) this.accepted = `${chatId} ${selectedPrompt}`;
      return true;
    } finally {
      this.isConfirming = false;
    }
  }
}

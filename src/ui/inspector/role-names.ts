/** What people call those who speak in a request. */
import type { Message } from '../../core/ports/message';
import { words } from '../../text';

export const roleNames: Readonly<Record<Message['role'], string>> = {
  user: words.pane.roleUser,
  assistant: words.pane.roleAssistant,
  tool: words.pane.roleTool,
};

/** The ChatCommand contract: something the chat does when it is chosen after `/`. */

/** What commands can make the pane do. */
export interface ChatActions {
  showHelp(): void;
  newChat(): void;
  /** Ends the answer under way. */
  stop(): void;
  /** Answers the last message again. */
  resend(): void;
  /** Shows the next request as the model gets it. */
  showPrompt(): void;
  openSettings(): void;
  copyDiagnostics(): void;
  /** Has older messages summarised. */
  summarise(focus: string): void;
  /** Shows what stands in the window. */
  showContext(): void;
}

export interface ChatCommand {
  /** What is typed after the slash. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Whether words may follow it in the box; it then runs when the line is sent. */
  readonly takesWords?: boolean;
  /** @param rest the words that follow it */
  run(actions: ChatActions, rest?: string): void;
}

/** The command that a whole line in the box asks for, with the words behind it; null for a message. */
export function commandIn(
  line: string,
  commands: readonly ChatCommand[],
): { readonly command: ChatCommand; readonly rest: string } | null {
  const [, id = '', rest = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  const command = commands.find((each) => each.id === id && each.takesWords === true);
  return command === undefined ? null : { command, rest: rest.trim() };
}

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
}

export interface ChatCommand {
  /** What is typed after the slash. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  run(actions: ChatActions): void;
}

/** PanePorts: what the pane asks of the rest of Docent; main hands it over, so that views know no adapter. */
import type { OpenChats } from '../core/chat/open-chats';
import type { ChatCommand, MentionSource, MentionTokens } from '../core/mentions/mention-source';
import type { DeviceStorage } from '../core/ports/device';
import type { McpAccess } from '../core/ports/network';
import type { RequestPlan } from '../core/ports/request-plan';
import type { Vault } from '../core/ports/vault';
import type { Settings } from '../core/settings/settings';
import type { Tool } from '../core/tools/tool';
import type { DiagnosticsPorts } from './diagnostics/diagnostics-ports';
import type { ImagePorts } from './images/image-ports';
import type { OwnPromptPorts } from './own-prompt/own-prompt-ports';
import type { PromptsPorts } from './prompts/prompts-ports';
import type { ModelsPorts } from './providers/models-ports';
import type { ConfirmDecision } from './render/link-gate';

export interface PanePorts extends DiagnosticsPorts {
  readonly vault: Vault;
  readonly mentionSources: readonly MentionSource[];
  readonly mentionTokens: MentionTokens;
  readonly images: ImagePorts;
  readonly models: ModelsPorts;
  readonly tools: readonly Tool[];
  readonly commands: readonly ChatCommand[];
  readonly device: DeviceStorage;
  settings(): Settings;
  /** A chat that cannot be read is a failure. */
  readonly chats: Pick<OpenChats, 'open' | 'startClean'>;
  /** Called once when the pane shows for the first time; starts what costs nothing before. */
  paneOpened(): Promise<void>;
  readonly ownPrompt: OwnPromptPorts;
  readonly prompts: PromptsPorts;
  readonly servers: McpAccess;
  /** Shows what a server offers. */
  lookAtServer(name: string): void;
  /** Shows the diagnostics, of the chat that is open if one is. */
  showDiagnostics(): void;
  /** Told of the next request of the open chat whenever it was counted; null when none is open. */
  planned?(plan: RequestPlan | null): void;
  /** Path of the note in front, or of the one that was before the pane took the focus. */
  activeNote(): string | null;
  previewNote(linkText: string, target: HTMLElement, event: MouseEvent): void;
  openExternal(url: string): void;
  /** Asks the reader whether an address should be opened. */
  confirmLink(decision: ConfirmDecision): Promise<boolean>;
}

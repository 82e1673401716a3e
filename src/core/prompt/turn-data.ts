/** The records about the moment of a turn: device, editor, fetched pages, pending review, servers, permissions. */

export { type PermissionMode, permissionModes } from '../settings/mode';

export interface DeviceFacts {
  /** Long form in the user's locale, fixed when the chat starts (K12). */
  readonly date: string;
  /** Such as `macOS`, `Windows`, `Linux`, `iOS`, `Android`. */
  readonly operatingSystem: string;
  readonly appVersion: string;
  readonly platform: 'desktop' | 'mobile';
  /** Whether the vault's root is a git repository and git can be used here (R086). */
  readonly repository: boolean;
}
export type { EditorState } from '../session/entry';

export interface FetchedPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

export interface McpServerInfo {
  readonly name: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly resources: readonly { readonly name: string; readonly uri: string }[];
}

/** What the settings say about the composition (R108, R109). */
export interface PromptSettings {
  /** Whether a person is there to answer questions. */
  readonly interactive: boolean;
  readonly agentName: string;
  readonly sanityChecks: 'auto' | 'on' | 'off';
  readonly additionalInstructions: string;
  /** How long answers are by default (K29). */
  readonly brevity: 'brief' | 'normal';
  /** Names of the notes with the vault's conventions, at the root and in folders (R195). */
  readonly contextFiles: readonly string[];
  /** Whether the root's own stands in the system prompt, or comes with the first note that is looked at (R200). */
  readonly contextFilesIn: 'prompt' | 'first-touch';
}

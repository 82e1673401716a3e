/** Network access: plain requests, and servers of the Model Context Protocol. */
import type { Failure, Outcome } from './failure';

/** A request sent with Obsidian's `requestUrl`: not subject to CORS, but buffered and not cancellable. */
export interface BufferedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly throw: false;
}

export interface BufferedResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly arrayBuffer: ArrayBuffer;
}

/**
 * Options for every fetch: no credentials, cache, or referrer, and no redirects, because the request was meant for one
 * origin.
 */
export const strictFetch = {
  redirect: 'manual',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const;

/** How Chromium, iOS, and Android say that they do not trust a server. */
const certificateRefusal = /\bcert|ERR_CERT_/i;

/** Whether Obsidian's own function failed because the device does not trust the server; a page never learns that. */
export function refusesCertificate(thrown: unknown): boolean {
  return thrown instanceof Error && certificateRefusal.test(thrown.message);
}

/**
 * An MCP server in the settings. Settings sync with the vault, so a device connects only after the user allowed the
 * server there.
 */
export interface McpServerChoice {
  /** Unique among the servers; prefix of the names of its tools. */
  readonly name: string;
  /** The server's address, over HTTP. */
  readonly url: string;
  /** Name of the secret that contains the API key; empty if the server needs none. */
  readonly keyName: string;
  readonly isOn: boolean;
}

/** Valid prefixes of tool names and prompt ids. */
export const serverName = /^[A-Za-z0-9_-]{1,24}$/;

/** Whether a name of a tool has other characters than those that the protocol recommends, some of which look alike. */
export function mayLookAlike(toolName: string): boolean {
  return /[^ -~]/.test(toolName);
}

/** What a server says about a tool of its own. It is shown, and nothing is allowed because of it. */
export const mcpHints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

export interface McpTool {
  readonly name: string;
  /** The name that the server shows to people; absent if it has none. */
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The hints that the server gave, as it gave them; absent for none. */
  readonly annotations?: Readonly<Partial<Record<(typeof mcpHints)[number], boolean>>>;
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A prompt with the text that it inserts, and the arguments from which the server would write another. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  /** Empty for a prompt that needs arguments. */
  readonly text: string;
  /** Absent for a prompt that takes none. */
  readonly arguments?: readonly McpPromptArgument[];
}

export interface McpResource {
  readonly name: string;
  readonly uri: string;
}

/** A resource that the user approved, of a server that can be asked now. */
export interface OfferedResource {
  readonly server: string;
  readonly name: string;
  readonly uri: string;
}

/** Addresses of resources that the server makes on request; `{name}` is replaced by what is chosen. */
export interface McpTemplate {
  readonly name: string;
  readonly uriTemplate: string;
}

/**
 * The tools, prompts, and resources of a server, each list sorted by name. All of it is untrusted text. What a server
 * does not have is absent or empty.
 */
export interface McpCatalog {
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
  readonly templates?: readonly McpTemplate[];
  /** What the server says to models about its use. */
  readonly instructions?: string;
}

/** An image in an answer: what the server says it is, and its bytes. */
export interface McpImage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface McpAnswer {
  /** Untrusted text, as the server sent it; content other than text is described in words. */
  readonly text: string;
  readonly isError: boolean;
  /** The images that the text names, in order; absent for none. */
  readonly images?: readonly McpImage[];
}

/** How far a call has come; the words are the server's. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One value that a server asks the user for. */
export interface McpField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'one' | 'several';
  /** For `one` and `several`: the values, each with what is shown for it. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly initial?: string | number | boolean | readonly string[];
  /** The least and the most: of a number, of the characters of a text, or of the chosen values. */
  readonly least?: number;
  readonly most?: number;
  readonly format?: string;
}

/** What a server asks the user during a call: to fill in a form, or to open a page. */
export type McpQuestion =
  | { readonly kind: 'form'; readonly message: string; readonly fields: readonly McpField[] }
  | { readonly kind: 'page'; readonly message: string; readonly url: string };

type McpValue = string | number | boolean;

export type McpValues = Readonly<Record<string, McpValue | readonly McpValue[]>>;

/** `cancel` is no decision, such as when nobody can be asked. A page has no values. */
export type McpReply =
  | { readonly action: 'accept'; readonly content?: McpValues }
  | { readonly action: 'decline' | 'cancel' };

/** What may happen during a call. */
export interface McpCallPorts {
  progressed?(progress: McpProgress): void;
  /** Asks the user. The time that this takes does not count against the call. */
  ask?(question: McpQuestion, signal: AbortSignal): Promise<McpReply>;
}

/**
 * A connection to one MCP server. Each call ends in time and returns failures as values, even if the server misbehaves.
 */
export interface McpConnection {
  /** Requests the server's current catalog. */
  readCatalog(signal: AbortSignal): Promise<Outcome<McpCatalog>>;
  /** Returns, in words, what was left out of the catalog that was read last. */
  omissions?(): readonly string[];
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    during?: McpCallPorts,
  ): Promise<Outcome<McpAnswer>>;
  readResource?(uri: string, signal: AbortSignal): Promise<Outcome<McpAnswer>>;
  /** Requests the text of a prompt with these arguments. */
  fillPrompt?(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Outcome<string>>;
  /** Calls back, until the connection is closed, when the server says that its catalog has changed. */
  watch?(changed: () => void): void;
  close(): void;
}

export type ConnectMcp = (server: McpServerChoice, signal: AbortSignal) => Promise<Outcome<McpConnection>>;

/**
 * 'unknown' was never allowed on this device at this address. 'idle' was allowed, and is connected to when a chat is
 * opened or the user requests it. 'unapproved' has a catalog of which the user has approved nothing on this device.
 * 'ready' may offer more than was approved: each tool, prompt and resource can be used while it is as it was approved.
 */
export type McpServerState = 'off' | 'unknown' | 'idle' | 'connecting' | 'failed' | 'unapproved' | 'ready';

export interface McpServerStatus {
  readonly choice: McpServerChoice;
  readonly state: McpServerState;
  /** Why the server cannot be used; null if it can, or was not called yet. */
  readonly failure: Failure | null;
  /** The catalog that was read last; null before the first one. */
  readonly offer: McpCatalog | null;
  /** The catalog approved on this device; null if none was. */
  readonly approved: McpCatalog | null;
  /** Whether the catalog that was read last differs from the approved one. */
  readonly hasChanged: boolean;
  /** Names of tools that cannot be declared because another tool has the name. */
  readonly leftOut: readonly string[];
  /** In words, what was left out of the catalog that was read last. */
  readonly omissions: readonly string[];
}

/** Actions on MCP servers for the settings and the chat view. */
export interface McpAccess {
  /** Returns the servers in the order of the settings. */
  statuses(): readonly McpServerStatus[];
  /** Grants this device access to the server at its address, and reads its catalog. */
  connect(name: string): Promise<void>;
  /** Allows what the server's failure asks, that requests to it may follow redirects, and connects. */
  allowSending(name: string): Promise<void>;
  /**
   * Grants chats on this device the use of exactly this catalog, as shown. Refused if the server's catalog has changed
   * since.
   */
  approve(name: string, offer: McpCatalog): Outcome<void>;
  /** Revokes all grants for the server on this device, and closes the connection. */
  forget(name: string): void;
  /** Returns the resources that messages may name; the same array while nothing changes. */
  resources?(): readonly OfferedResource[];
  /** Has a server write a prompt with these arguments, for messages to name. */
  fillPrompt?(
    id: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Outcome<{ readonly id: string; readonly name: string }>>;
  subscribe(listener: () => void): () => void;
}

/** A call that would leave the device, for the user to allow or refuse. An approval covers this call only. */
export interface ApprovalRequest {
  readonly id: string;
  /** The name of the tool, as the server spells it. */
  readonly title: string;
  /** The server's name. */
  readonly server: string;
  /** The address that the call goes to. */
  readonly url: string;
  /** The arguments that would be sent, as JSON. */
  readonly argumentsText: string;
  /** Passages of notes that the call contains. */
  readonly passages: readonly string[];
  /** The source of untrusted text in the chat; null if there is none. */
  readonly taint: string | null;
  /**
   * What the server says of the tool: the name that it shows to people, and whether it says that it changes things; and
   * whether the name of the tool may be taken for another one.
   */
  readonly about?: { readonly title?: string; readonly warns?: boolean; readonly mayLookAlike?: boolean };
  /** What the server asks the user during a call; nothing was sent for it yet. */
  readonly question?: McpQuestion;
}

/** Prefix of the names of the secrets that hold what this device signed in with; one secret for each address. */
export const signInPrefix = 'docent-sign-in-';

/**
 * 'out' was never signed in to on this device, or signed out of. 'expired' has to be signed in to again, 'more' too,
 * because a call needs more permission than was granted.
 */
export type SignInState = 'out' | 'in' | 'expired' | 'more';

/** A page on which the user signs in, to be opened in the browser. */
export interface SignInPage {
  readonly url: string;
  readonly host: string;
  /** What the server asks permission for, in its own terms: untrusted text. */
  readonly scopes: readonly string[];
  /** Whether the page leads back to Obsidian; otherwise the user pastes the final address. */
  readonly leadsBack: boolean;
}

/** How the user of this device is known as a client at an authorization server that registers none by itself. */
export interface OwnClient {
  readonly id: string;
  /** Empty for none. */
  readonly secret: string;
  readonly leadsBack: boolean;
}

type SignInServer = Pick<McpServerChoice, 'name' | 'url'>;

/** Signs in to MCP servers by OAuth. What it is given stays on this device, bound to the address of its server. */
export interface SignIns {
  stateOf(server: SignInServer): SignInState;
  /**
   * Finds out where the user signs in. A failure with the action 'allow-sending' asks for a yes, which `allow` gives; one
   * with 'enter-client' for an own client. A page that was made before is returned again while it is valid.
   * @param isFresh makes another page
   */
  begin(server: SignInServer, signal: AbortSignal, isFresh?: boolean): Promise<Outcome<SignInPage>>;
  /** Allows on this device what the failure of the last `begin` asks. */
  allow(server: SignInServer, asked: Pick<Failure, 'words'>): void;
  enterClient(server: SignInServer, client: OwnClient): Outcome<void>;
  /**
   * Ends the sign-in that these parameters of the final address belong to.
   * @returns the name of the server
   */
  finish(parameters: Readonly<Record<string, string>>): Promise<Outcome<string>>;
  /** Forgets what the server gave, and asks it to do so too. */
  signOut(server: SignInServer): void;
  subscribe(listener: () => void): () => void;
}

/** Where an authorization server sends the browser: to Obsidian, or to an address of this device that nobody serves. */
export const redirects = { obsidian: 'obsidian://docent-auth', pasted: 'http://127.0.0.1:48627/docent-auth' } as const;

/** Returns the parameters of a final address that was pasted; null if it is none. */
export function readFinalAddress(text: string): Readonly<Record<string, string>> | null {
  const [address, query] = text.trim().split('?');
  if (address !== redirects.pasted && address?.replace(/\/$/, '') !== redirects.obsidian) return null;
  const found = Object.fromEntries(new URLSearchParams(query?.split('#')[0] ?? ''));
  return 'state' in found ? found : null;
}

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

export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A prompt without arguments, with the text that it inserts. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

export interface McpResource {
  readonly name: string;
  readonly uri: string;
}

/** The tools, prompts, and resources of a server, each list sorted by name. All of it is untrusted text. */
export interface McpCatalog {
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
}

export interface McpAnswer {
  /** Untrusted text, as the server sent it; content other than text is described in words. */
  readonly text: string;
  readonly isError: boolean;
}

/**
 * A connection to one MCP server. Each call ends in time and returns failures as values, even if the server misbehaves.
 */
export interface McpConnection {
  /** Requests the server's current catalog. */
  readCatalog(signal: AbortSignal): Promise<Outcome<McpCatalog>>;
  callTool(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Outcome<McpAnswer>>;
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
}

/** What leaves the device: plain requests, and servers of the Model Context Protocol. */
import type { Failure, Outcome } from './failure';

// How requests leave the device, whatever asks: nothing but what is meant goes along, and nobody is followed elsewhere.

/** A request by the app's own function: no cross-origin rule holds it up, but nothing streams or can be cancelled. */
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

const thisDevice: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** @param hostname as URL spells it */
export function isThisDevice(hostname: string): boolean {
  return thisDevice.includes(hostname);
}

/** Redirects are not followed: what is sent was meant for one origin. */
export const strictFetch = {
  redirect: 'manual',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const;

// Servers of the Model Context Protocol: what one offers in its own words, how it is asked, and what the user decides.

/** A server as the settings name it. They travel with the vault, so a device asks none before its user allowed it there. */
export interface McpServerChoice {
  /** Unique among the servers; stands before the names of its tools. */
  readonly name: string;
  /** Where it is asked, over HTTP. */
  readonly url: string;
  /** Name of the secret that holds its key; empty when it needs none. */
  readonly keyName: string;
  readonly isOn: boolean;
}

/** What may stand before the names of tools, and in the ids of prompts. */
export const serverName = /^[A-Za-z0-9_-]{1,24}$/;

export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A prompt that needs no arguments, with the text that it stands for. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

export interface McpResource {
  readonly name: string;
  readonly uri: string;
}

/** What a server offers, each list sorted by name; all of it is others' text. */
export interface McpCatalog {
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
}

export interface McpAnswer {
  /** Others' text, as the server sent it; what is no text is told of in words. */
  readonly text: string;
  readonly isError: boolean;
}

/** A line to one server. Whatever the server does, each question ends in time, and ends as a value. */
export interface McpConnection {
  /** Asks what the server offers now. */
  readCatalog(signal: AbortSignal): Promise<Outcome<McpCatalog>>;
  callTool(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Outcome<McpAnswer>>;
  close(): void;
}

export type ConnectMcp = (server: McpServerChoice, signal: AbortSignal) => Promise<Outcome<McpConnection>>;

/**
 * 'unknown' was never allowed to be asked from this device at this address; 'idle' was, and is asked when a chat is opened
 * or the user says so; 'unapproved' offers what the user has not
 * approved on this device, or no longer what was approved.
 */
export type McpServerState = 'off' | 'unknown' | 'idle' | 'connecting' | 'failed' | 'unapproved' | 'ready';

export interface McpServerStatus {
  readonly choice: McpServerChoice;
  readonly state: McpServerState;
  /** Why it cannot be used; null when it can, or was not asked. */
  readonly failure: Failure | null;
  /** What it offers, as asked last; null before that. */
  readonly offer: McpCatalog | null;
  /** What was approved on this device; null when nothing was. */
  readonly approved: McpCatalog | null;
  /** Names of tools that cannot be offered, since another has the name. */
  readonly leftOut: readonly string[];
}

/** What the settings and the pane may do about the servers. */
export interface McpAccess {
  /** In the order of the settings. */
  statuses(): readonly McpServerStatus[];
  /** Lets this device ask the server at its address, and asks it what it offers. */
  connect(name: string): Promise<void>;
  /** Lets chats on this device use exactly this offer, as it was shown. Refused when the server offers another by now. */
  approve(name: string, offer: McpCatalog): Outcome<void>;
  /** Takes back on this device whatever was allowed, and ends the line. */
  forget(name: string): void;
  subscribe(listener: () => void): () => void;
}

/** A call that would leave the device, for the user to allow or refuse; what is allowed is this and nothing else. */
export interface ApprovalRequest {
  readonly id: string;
  /** What is called, as the server names it. */
  readonly title: string;
  /** The server's name. */
  readonly server: string;
  /** Where it goes. */
  readonly url: string;
  /** What would be sent, as JSON. */
  readonly argumentsText: string;
  /** Passages of notes that it carries. */
  readonly passages: readonly string[];
  /** Whose text, other than the user's, the chat holds; null for nobody's. */
  readonly taint: string | null;
}

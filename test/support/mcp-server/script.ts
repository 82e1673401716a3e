/** The language of a script: what the server offers, what it asks of its clients, and in which ways it misbehaves. */

export interface ScriptedTool {
  name: string;
  description?: string;
  /** Unless given, an object without members. */
  inputSchema?: unknown;
  /** The result of a call, or how it comes from the arguments; unless given, a text that repeats the arguments. */
  result?: object | ((args: Record<string, unknown>) => object);
}

export interface ScriptedPrompt {
  name: string;
  description?: string;
  arguments?: readonly { name: string; required?: boolean }[];
  /** A string is one message of the user. */
  messages: string | readonly object[];
}

export interface ScriptedResource {
  name: string;
  uri: string;
}

/** How the answer to one method goes wrong. The first that is given counts; what comes before it is sent. */
export interface Behaviour {
  /** Sent before the answer as events of the same stream, such as requests of the server. */
  before?: readonly object[] | ((id: unknown) => readonly object[]);
  /** The answer follows the client's answer to the request of this id in `before`. */
  awaits?: string;
  /** Sent before the answer, one a millisecond: what this makes of the number of the event, for a request of this id. */
  every?: { count: number; event: (at: number, id: unknown) => object };
  /** Milliseconds before the first byte. */
  delay?: number;
  /** Silence for ever: before the headers, or within the answer. */
  hang?: 'headers' | 'body';
  /** The connection is destroyed: before the headers, or within the answer. */
  cut?: 'headers' | 'body';
  /** The text of a result is this many bytes long, written for as long as somebody reads. */
  flood?: number;
  /** The whole body in place of the answer, with `type` as its content type. */
  raw?: string;
  type?: string;
  /** Without a body of its own, `raw`. */
  status?: number;
  headers?: Record<string, string>;
  /** Members in place of those of the message of the answer. */
  message?: Record<string, unknown>;
  /** In place of the result of the script. */
  result?: unknown;
  /** The stream of an answer in events is left open behind it. */
  staysOpen?: boolean;
  /** Bytes of a write; unless given, all at once. */
  chunkBytes?: number;
}

export interface McpScript {
  tools?: readonly ScriptedTool[];
  prompts?: readonly ScriptedPrompt[];
  resources?: readonly ScriptedResource[];
  /** Unless given, the server does not know the question. */
  templates?: readonly { name: string; uriTemplate: string }[];
  /** Unless given, those of the lists that are given. */
  capabilities?: Record<string, unknown>;
  protocolVersion?: string;
  /** Items of a page of a list; unless given, all of them. A page without items follows for ever with `endless`. */
  pageSize?: number;
  endless?: boolean;
  /** The key that every request must carry. */
  key?: string;
  /** Whether requests need the session that the first answer names. */
  session?: boolean;
  /** The status that refuses a session that has ended; 404 unless given. */
  expiredStatus?: number;
  /** Whether pages may ask; true unless given. 'no-session' hides the name of the session from them. */
  cors?: boolean | 'no-session';
  /** Answers as events in place of one piece of JSON. */
  stream?: boolean;
  /** By method, such as 'tools/call'. */
  behaviours?: Readonly<Record<string, Behaviour>>;
}

export interface RanCall {
  name: string;
  args: Record<string, unknown>;
}

export interface RecordedMcpRequest {
  method: string;
  headers: Record<string, string>;
  /** The message of JSON-RPC; null for a request without one. */
  message: Record<string, unknown> | null;
  /** Bytes of the answer that were handed to the connection. */
  written: number;
  /** The client went away before the answer was complete. */
  aborted: boolean;
}

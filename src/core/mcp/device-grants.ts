/**
 * DeviceGrants: permissions stored on this device, one record per server; settings that sync with the vault grant
 * nothing.
 */
import * as z from 'zod/v4';
import { words } from '../../text';
import { lazy } from '../base/lazy';
import type { DeviceStorage } from '../ports/device';
import { fail, messageOf, type Outcome, succeed } from '../ports/failure';
import { type McpCatalog, mcpHints, type McpServerChoice } from '../ports/network';

type ServerGrant = z.infer<ReturnType<typeof stored>>;

const stored = lazy(() =>
  z.object({
    url: z.string(),
    keyName: z.string(),
    /** The approved catalog as canonical JSON; null if none was approved. */
    approved: z.string().nullable(),
  }),
);

const storedCatalog = lazy(() =>
  z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string().optional(),
        description: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
        annotations: z.partialRecord(z.enum(mcpHints), z.boolean()).optional(),
      }),
    ),
    prompts: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        text: z.string(),
        arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })).optional(),
      }),
    ),
    resources: z.array(z.object({ name: z.string(), uri: z.string() })),
    templates: z.array(z.object({ name: z.string(), uriTemplate: z.string() })).optional(),
    instructions: z.string().optional(),
  }),
);

export class DeviceGrants {
  constructor(private readonly device: DeviceStorage) {}

  /** Whether Docent may connect to the server of this name at this address with this key. */
  isGiven({ name, url, keyName }: McpServerChoice): boolean {
    const grant = this.read(name);
    return grant !== null && grant.url === url && grant.keyName === keyName;
  }

  /** Returns the catalog approved for this name and address, as canonical JSON; null for none. */
  approvedText({ name, url }: McpServerChoice): string | null {
    const grant = this.read(name);
    return grant?.url === url ? grant.approved : null;
  }

  /** Grants permission to connect. An approval for another address is dropped. */
  give(choice: McpServerChoice): Outcome<void> {
    return this.write(choice, this.approvedText(choice));
  }

  approve(choice: McpServerChoice, catalogText: string): Outcome<void> {
    return this.write(choice, catalogText);
  }

  takeBack(name: string): void {
    this.device.set(keyOf(name), null);
  }

  private write({ name, url, keyName }: McpServerChoice, approved: string | null): Outcome<void> {
    const grant: ServerGrant = { url, keyName, approved };
    try {
      this.device.set(keyOf(name), JSON.stringify(grant));
    } catch (thrown) {
      const { servers } = words;
      return fail({ kind: 'storage', words: servers.notStored(messageOf(thrown)), remedy: servers.notStoredRemedy });
    }
    return succeed(undefined);
  }

  private read(name: string): ServerGrant | null {
    const parsed = stored().safeParse(parse(this.device.get(keyOf(name))));
    return parsed.success ? parsed.data : null;
  }
}

/** Parses a stored catalog; returns null if it is malformed, such as in damaged storage. */
export function readCatalogText(text: string | null): McpCatalog | null {
  const parsed = storedCatalog().safeParse(parse(text));
  return parsed.success ? parsed.data : null;
}

function keyOf(name: string): string {
  return `mcp-server-${name}`;
}

function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

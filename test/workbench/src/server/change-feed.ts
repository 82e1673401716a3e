/** Sends every open page the changes of the vault, and sends a page that opens late the most recent ones. */
import type { ServerResponse } from 'node:http';
import { EventStreams } from './event-streams';
import { watchVault, type VaultWatch } from './watch-vault';

/** Longer than a page takes from listing the vault to listening. */
const rememberMs = 60_000;

export class ChangeFeed {
  private readonly streams = new EventStreams();
  private readonly recent = new Map<string, number>();
  private watch: VaultWatch | undefined;

  constructor(private readonly vault: string) {}

  /** From here on no change is lost; to be called before the vault is listed. */
  start(): void {
    this.watch ??= watchVault(this.vault, (changed) => {
      this.remember(changed);
      this.streams.send({ path: changed });
    });
  }

  open(response: ServerResponse): void {
    this.start();
    this.forgetOld();
    this.streams.add(response);
    for (const changed of this.recent.keys()) this.streams.sendTo(response, { path: changed });
  }

  close(): void {
    this.watch?.close();
  }

  private remember(changed: string): void {
    this.forgetOld();
    // Set again at the end: the map stays in the order of time.
    this.recent.delete(changed);
    this.recent.set(changed, Date.now());
  }

  private forgetOld(): void {
    for (const [changed, time] of this.recent) {
      if (Date.now() - time < rememberMs) return;
      this.recent.delete(changed);
    }
  }
}

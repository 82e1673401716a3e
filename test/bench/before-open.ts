/** Counts what a built plugin reads and requests between the start of the app and the opening of its chat view. */
import type { EmulatedAdapter } from 'obsidian-workbench/jest';
import './realm';
import type { PluginManifest } from 'obsidian';
import { closeApp, openApp } from './open-app';

export interface BeforeOpen {
  /** Paths read for the plugin, its own data.json apart; one entry a read. */
  readonly reads: readonly string[];
  /** What was asked of the network, one entry a request. */
  readonly requests: readonly string[];
}

export interface BeforeOpenInput {
  /** The text of main.js. */
  readonly main: string;
  readonly manifest: PluginManifest;
  /** A fresh one each time: the app is started without the plugin too. */
  adapter(): EmulatedAdapter;
  /** Milliseconds to wait after the layout is ready. */
  readonly wait: number;
}

/**
 * The app reads every note once for its index, so what counts is what is read more often with the plugin than without.
 * @throws when the plugin does not start
 */
export async function measureBeforeOpen({ main, manifest, adapter, wait }: BeforeOpenInput): Promise<BeforeOpen> {
  // The app alone is done when its index is: a wait could only excuse reads of the plugin.
  const without = await startAndWait(adapter(), [], 0);
  const withPlugin = await startAndWait(adapter(), [{ manifest, main }], wait);
  // A read through the vault may be answered from its cache, or reach the adapter and be counted there again.
  const more = (path: string): number =>
    Math.max(
      ...(['byVault', 'byAdapter'] as const).map(
        (by) => (withPlugin[by].get(path) ?? 0) - (without[by].get(path) ?? 0),
      ),
    );
  const reads = [...new Set([...withPlugin.byVault.keys(), ...withPlugin.byAdapter.keys()])]
    .filter((path) => !path.endsWith(`/${manifest.id}/data.json`))
    .flatMap((path) => Array<string>(Math.max(0, more(path))).fill(path));
  return { reads, requests: withPlugin.requests };
}

/** Reads by path, counted at two layers. */
interface Started {
  readonly byVault: ReadonlyMap<string, number>;
  readonly byAdapter: ReadonlyMap<string, number>;
  readonly requests: readonly string[];
}

async function startAndWait(
  adapter: EmulatedAdapter,
  plugins: { manifest: PluginManifest; main: string }[],
  wait: number,
): Promise<Started> {
  const requests: string[] = [];
  const release = countRequests(requests);
  const byAdapter = countCalls(adapter, ['read', 'readBinary', 'process']);
  let byVault = new Map<string, number>();
  const app = await openApp(adapter, {
    plugins,
    transport: (request) => {
      requests.push(request.url);
      return Promise.reject(new Error('Nothing is sent from here.'));
    },
    beforePlugins: (early) => {
      byVault = countCalls(early.vault, ['read', 'cachedRead', 'readBinary', 'process']);
    },
  });
  await new Promise((resolve) => setTimeout(resolve, wait));
  const failed = plugins.map(({ manifest }) => app.plugins.failures[manifest.id]).find(Boolean);
  await closeApp(app);
  release();
  if (failed !== undefined) throw new Error(`The plugin does not start: ${String(failed)}`);
  return { byVault, byAdapter, requests };
}

/** Counts calls by path, given as text or as a file, while passing them on. */
function countCalls(target: object, names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  const methods = target as Record<string, (...given: unknown[]) => unknown>;
  for (const name of names) {
    const original = methods[name]?.bind(target);
    if (original === undefined) continue;
    methods[name] = (first, ...rest) => {
      const path = typeof first === 'string' ? first : (first as { path: string }).path;
      counts.set(path, (counts.get(path) ?? 0) + 1);
      return original(first, ...rest);
    };
  }
  return counts;
}

/** Every way out of a page is counted and goes nowhere; the result puts back what was there. */
function countRequests(requests: string[]): () => void {
  const note = (address: unknown): never => {
    requests.push(String(address));
    throw new Error('Nothing is sent from here.');
  };
  class Counted {
    constructor(address: unknown) {
      note(address);
    }
  }
  class CountedRequest {
    open(_method: string, address: unknown): void {
      note(address);
    }
  }
  const ways: Record<string, unknown> = {
    fetch: async (address: unknown) => note((address as { url?: string }).url ?? address),
    XMLHttpRequest: CountedRequest,
    WebSocket: Counted,
    EventSource: Counted,
  };
  const targets = [...new Set<object>([globalThis, window])];
  const before = targets.map((target) =>
    Object.keys(ways).map((name) => Reflect.getOwnPropertyDescriptor(target, name)),
  );
  for (const target of targets) {
    for (const [name, value] of Object.entries(ways)) {
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
    }
  }
  Object.assign(window.navigator, { sendBeacon: note });
  return () => {
    Reflect.deleteProperty(window.navigator, 'sendBeacon');
    for (const [index, target] of targets.entries()) {
      for (const [at, name] of Object.keys(ways).entries()) {
        const descriptor = before[index]?.[at];
        if (descriptor === undefined) Reflect.deleteProperty(target, name);
        else Object.defineProperty(target, name, descriptor);
      }
    }
  };
}

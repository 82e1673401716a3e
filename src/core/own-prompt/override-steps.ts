/** What a person can do about a system prompt of their own: make the file, turn it off, allow it, append it instead. */
import { words } from '../../text';
import { bodyOf } from '../markdown/properties';
import type { DeviceStorage } from '../ports/device';
import { fail, type Outcome, succeed } from '../ports/failure';
import { findOverride, type Override, type OverridePorts } from '../prompt/override';
import { systemExtraPath } from '../prompt/sections/user-instructions';
import type { Settings } from '../settings/settings';
import { allowOutside, allowsOutside } from './outside-consent';
import { type PlacePorts, readText, writeText } from './text-files';

export interface OverrideStepPorts extends PlacePorts, Omit<OverridePorts, 'allowsOutside'> {
  readonly device: DeviceStorage;
  change(part: Partial<Settings>): Promise<void>;
  /** The base prompt as a note that can stand in its place. */
  startingText(): Promise<Outcome<string>>;
  confirmOutside(path: string): Promise<boolean>;
}

/** Where the file is now, and what is to be said; null when nothing was done. */
export type Step = Outcome<{ readonly path: string; readonly told: string } | null>;

const say = words.ownPrompt;

/** Makes the file that the override names; one that is there is left as it is. */
export async function createOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place } = findOverride(ports);
  if (place.kind === 'off') return succeed(null);
  const { path } = place;
  const there = await readText(place, ports);
  if (!there.ok) return there;
  if (there.value !== null) return succeed({ path, told: '' });
  const text = await ports.startingText();
  if (!text.ok) return text;
  const written = await writeText(place, text.value, ports);
  return written.ok ? succeed({ path, told: say.created(path) }) : written;
}

/** The environment's override is not the settings' to turn off. */
export async function turnOffOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place, fromEnvironment } = findOverride(ports);
  if (place.kind === 'off' || fromEnvironment) return succeed(null);
  await ports.change({ systemPrompt: 'off' });
  return succeed({ path: place.path, told: say.turnedOff });
}

export async function allowOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place } = findOverride(ports);
  if (place.kind !== 'outside' || allowsOutside(ports.device, place.path)) return succeed(null);
  if (!(await ports.confirmOutside(place.path))) return succeed(null);
  allowOutside(ports.device, place.path);
  return succeed({ path: place.path, told: say.allowed(place.path) });
}

/** Turns the replacement off and lets its text follow ours; a system-extra.md that is there stays as it is. */
export async function appendOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place, fromEnvironment }: Override = findOverride(ports);
  if (place.kind === 'off' || fromEnvironment) return succeed(null);
  const path = systemExtraPath(ports.agentFolder());
  const extra = { kind: 'vault' as const, path };
  const there = await readText(extra, ports);
  if (!there.ok) return there;
  if (there.value === null) {
    const text = await readText(place, ports);
    if (!text.ok) return text;
    if (text.value === null) return fail({ kind: 'not-found', words: say.missing(place.path), remedy: say.remedy });
    const written = await writeText(extra, `${bodyOf(text.value)}\n`, ports);
    if (!written.ok) return written;
  }
  await ports.change({ systemPrompt: 'off' });
  return succeed({ path, told: there.value === null ? say.appended(place.path, path) : say.appendThere(path) });
}

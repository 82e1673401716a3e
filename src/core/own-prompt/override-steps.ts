/**
 * The user's actions on a custom system prompt: create the file, turn it off, allow it, or append it instead; and the
 * templates of the user's own mode.
 */
import { formatTokens, words } from '../../text';
import { bodyOf } from '../markdown/properties';
import { grouped } from '../markup/prose';
import type { DeviceStorage } from '../ports/device';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { Tokenizer } from '../ports/model';
import { findOverride, type Override, type OverridePorts } from '../prompt/override';
import { systemExtraPath } from '../prompt/sections/user-instructions';
import { ownTemplateFolder, ownTemplatePath, startingTemplates } from '../prompt/tiered-prompt-store';
import { type Tier, tiers } from '../settings/mode';
import type { Mode } from '../prompt/template-record';
import type { Settings } from '../settings/settings';
import { allowsOutside, createText, mayUse, type PlacePorts, readText, type TextFiles } from './text-files';

export interface OverrideStepPorts extends PlacePorts, Omit<OverridePorts, 'allowsOutside'> {
  readonly device: DeviceStorage;
  change(part: Partial<Settings>): Promise<void>;
  /** Returns the base prompt as a note that can replace it. */
  startingText(): Promise<Outcome<string>>;
  confirmOutside(path: string): Promise<boolean>;
}

/** The file's path and a message for the user; null if nothing was done. */
export type Step = Outcome<{ readonly path: string; readonly message: string } | null>;

const say = words.ownPrompt;

/** Creates the file that the override names; leaves an existing file unchanged. */
export async function createOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place } = findOverride(ports);
  if (place.kind === 'off') return succeed(null);
  const { path } = place;
  const created = await createText(place, () => ports.startingText(), ports);
  return created.ok ? succeed({ path, message: created.value ? say.created(path) : '' }) : created;
}

/** Turns the override off, unless the environment sets it, which settings cannot change. */
export async function turnOffOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place, fromEnvironment } = findOverride(ports);
  if (place.kind === 'off' || fromEnvironment) return succeed(null);
  await ports.change({ systemPrompt: 'off' });
  return succeed({ path: place.path, message: say.turnedOff });
}

export async function allowOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place } = findOverride(ports);
  if (place.kind !== 'outside' || allowsOutside(ports.device, place.path)) return succeed(null);
  if (!(await mayUse(place, ports))) return succeed(null);
  return succeed({ path: place.path, message: say.allowed(place.path) });
}

/**
 * Turns the override off and copies its text to system-extra.md, which is sent after Docent's own prompt. A
 * system-extra.md that has a text stays unchanged; one without any keeps its comment for the user.
 */
export async function appendOverride(ports: OverrideStepPorts): Promise<Step> {
  const { place, fromEnvironment }: Override = findOverride(ports);
  if (place.kind === 'off' || fromEnvironment) return succeed(null);
  const path = systemExtraPath(ports.agentFolder());
  const there = await readText({ kind: 'vault', path }, ports);
  if (!there.ok) return there;
  const isFree = (text: string): boolean => bodyOf(text) === '';
  const head = there.value?.trim() ?? '';
  if (isFree(there.value ?? '') && !(await mayUse(place, ports))) return succeed(null);
  const copied = async (): Promise<Outcome<string>> => {
    const text = await readText(place, ports);
    if (!text.ok) return text;
    if (text.value === null) return fail({ kind: 'not-found', words: say.missing(place.path), remedy: say.remedy });
    return succeed(`${head === '' ? '' : `${head}\n\n`}${bodyOf(text.value)}\n`);
  };
  const created = await createText({ kind: 'vault', path }, copied, ports, isFree);
  if (!created.ok) return created;
  await ports.change({ systemPrompt: 'off' });
  return succeed({ path, message: created.value ? say.appended(place.path, path) : say.appendThere(path) });
}

export interface UserTemplatePorts {
  readonly files: TextFiles;
  /** The mode whose templates they start from. */
  readonly start: Mode;
  readonly tokenizer: Tokenizer;
  agentFolder(): string;
  templateBudget(tier: Tier): number;
  /** Whether the file at a path isn’t used until the user allows it on this device. */
  waits(path: string): boolean;
}

export interface TemplateState {
  readonly tier: Tier;
  readonly path: string;
  readonly isThere: boolean;
  readonly isOver: boolean;
  /** In words: the tokens used of the budget, or what replaces the template. */
  readonly message: string;
}

/**
 * Creates the missing templates of the user's own mode from those of `start`, and returns a message (R101, R102). Never
 * replaces a file.
 */
export async function createTemplates(ports: UserTemplatePorts): Promise<Outcome<string>> {
  const { files, start } = ports;
  const folder = ports.agentFolder();
  let made = 0;
  for (const [path, text] of startingTemplates(start, folder)) {
    const there = await files.read(path);
    if (!there.ok) return there;
    if (there.value !== null) continue;
    const written = await files.write(path, text);
    if (!written.ok) return written;
    made += 1;
  }
  return succeed(say.templatesCreated(ownTemplateFolder(folder), made));
}

export async function findTemplateStates(ports: UserTemplatePorts): Promise<readonly TemplateState[]> {
  const texts = await Promise.all(
    tiers.map(async (tier): Promise<[Tier, string | null]> => {
      const read = await ports.files.read(ownTemplatePath(ports.agentFolder(), tier));
      return [tier, read.ok && read.value !== null ? bodyOf(read.value) : null];
    }),
  );
  for (const [, text] of texts) if (text !== null) ports.tokenizer.count(text);
  if (!ports.tokenizer.exact) await ports.tokenizer.settle?.();
  return texts.map(([tier, text]) => stateOf(tier, text, ports));
}

function stateOf(tier: Tier, text: string | null, ports: UserTemplatePorts): TemplateState {
  const state = { tier, path: ownTemplatePath(ports.agentFolder(), tier), isThere: text !== null };
  if (text === null) return { ...state, isOver: false, message: say.templateMissing };
  if (text === '') return { ...state, isOver: false, message: say.templateEmpty };
  if (ports.waits(state.path)) return { ...state, isOver: false, message: say.noteWaits };
  const tokens = ports.tokenizer.count(text);
  const shown = formatTokens(tokens, ports.tokenizer.exact);
  const budget = ports.templateBudget(tier);
  const isOver = tokens > budget;
  return { ...state, isOver, message: (isOver ? say.templateOver : say.templateWithin)(shown, grouped(budget)) };
}

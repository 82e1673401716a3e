/** Connects the custom system prompt to Obsidian: core decides, this asks the user, shows notices, and opens notes. */
import { type App, Notice } from 'obsidian';
import { promptForPlan } from '../../core/context/prepare-turn';
import { starterTextFor } from '../../core/library/starters';
import { bodyOf } from '../../core/markdown/properties';
import {
  type ExportPorts,
  exportPrompt,
  exportResolved,
  exportTemplate,
  findExportPlace,
} from '../../core/own-prompt/export-prompt';
import {
  allowOverride,
  appendOverride,
  createOverride,
  createTemplates,
  findTemplateStates,
  type OverrideStepPorts,
  type Step,
  turnOffOverride,
  type UserTemplatePorts,
} from '../../core/own-prompt/override-steps';
import { type FreshPorts, findSectionCosts, prepareUnsentTurn } from '../../core/own-prompt/section-costs';
import { createText, type TextFiles } from '../../core/own-prompt/text-files';
import type { Computer, DeviceStorage, Digest } from '../../core/ports/device';
import { describeFailure, type Failure, type Outcome, succeed } from '../../core/ports/failure';
import type { RequestPlan } from '../../core/ports/request-plan';
import { switchOf } from '../../core/prompt/composition-options';
import { defaultOverridePath, findOverride } from '../../core/prompt/override';
import type { Section } from '../../core/prompt/section';
import type { ChatChoices } from '../../core/session/entry';
import type { Tier } from '../../core/settings/mode';
import type { Mode } from '../../core/prompt/template-record';
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import { closeSettings } from '../components/settings-and-menus';
import {
  activeInPrompt,
  askToOverwrite,
  askToWriteActive,
  askWriteOutside,
  confirmOutsideFile,
} from '../components/dialogs';
import type { OpenChat, OverrideStep, SystemPromptPorts } from '../state/ports';

export interface OwnPromptOptions {
  readonly chat: FreshPorts;
  /** All sections, regardless of the switches. */
  readonly sections: readonly Section[];
  readonly files: TextFiles;
  readonly computer: Computer | null;
  readonly device: DeviceStorage;
  readonly digest: Digest;
  /** The mode whose templates the custom mode starts from. */
  readonly start: Mode;
  templateBudget(tier: Tier): number;
  change(part: Partial<Settings>): Promise<void>;
  /** The choices and the next request of the open chat; null when none is open. */
  openChat(): OpenChat | null;
  /** Records a failure for the diagnostics. */
  note(words: string): void;
}

export interface OwnPrompt extends SystemPromptPorts {
  /** Called with the system prompt of each turn that is sent. */
  promptSent(system: string): void;
}

const say = words.ownPrompt;

export function openCustomSystemPrompt(app: App, options: OwnPromptOptions): OwnPrompt {
  const { chat, sections, files, computer, device, digest } = options;
  const settings = (): Settings => chat.settings();
  const agentFolder = (): string => chat.agentFolder();
  const place = { computer, files };
  const always = (): AbortSignal => new AbortController().signal;
  const openNote = (path: string): void => {
    closeSettings(app);
    void app.workspace.openLinkText(path, '', false);
  };
  const fail = (failure: Failure): void => {
    options.note(describeFailure(failure));
    new Notice(describeFailure(failure));
  };
  const choices = (): ChatChoices => options.openChat()?.choices ?? {};
  const templateOf = async (ports: FreshPorts): Promise<Outcome<string>> => {
    const prepared = await prepareUnsentTurn(ports, choices(), always());
    if (!prepared.ok) return prepared;
    const { prompt } = prepared.value;
    return prompt.blocked === undefined ? succeed(exportTemplate(prompt)) : { ok: false, failure: prompt.blocked };
  };
  const resolved = async (): Promise<Outcome<string>> => {
    const plan = await (options.openChat()?.plan(always()) ?? planFresh(chat, always()));
    if (!plan.ok) return plan;
    const { blocked, system } = plan.value;
    if (blocked !== undefined) return { ok: false, failure: blocked };
    const prompt = promptForPlan(plan.value);
    return succeed(prompt === null ? system : exportResolved(prompt));
  };
  const steps: OverrideStepPorts = {
    ...place,
    device,
    settings,
    agentFolder,
    change: (part) => options.change(part),
    startingText: () => templateOf({ ...chat, customTemplate: () => Promise.resolve(null) }),
    confirmOutside: (path) => confirmOutsideFile(app, path),
  };
  /** What the user refused to write, so that an export of each turn asks once. */
  const refused = new Set<string>();
  const exports: ExportPorts = {
    ...place,
    device,
    digest,
    confirmOutside: (path) => askWriteOutside(app, path),
    confirmOverwrite: (path) => askToOverwrite(app, path),
    confirmActive: async (path, before, after) => {
      const items = activeInPrompt(path, before, after);
      const asked = JSON.stringify([path, items]);
      if (items.length === 0 || refused.has(asked)) return items.length === 0;
      const isAllowed = await askToWriteActive(app, path, items);
      if (!isAllowed) refused.add(asked);
      return isAllowed;
    },
  };
  const waits = (path: string): boolean => chat.vault.file(path) === undefined;
  const templates: UserTemplatePorts = {
    waits,
    files,
    start: options.start,
    tokenizer: chat.tokenizer,
    agentFolder,
    templateBudget: (tier) => options.templateBudget(tier),
  };
  const startTemplates = async (): Promise<void> => {
    const made = await createTemplates(templates);
    if (made.ok) new Notice(made.value);
    else fail(made.failure);
  };
  const findPlace = () => findExportPlace({ computer, settings, agentFolder });
  let lastSent: string | null = null;
  const writeSent = async (system: string): Promise<void> => {
    const { place: target, isAutomatic } = findPlace();
    const sent = `${target.path}\n${system}`;
    if (!isAutomatic || sent === lastSent) return;
    lastSent = sent;
    const written = await exportPrompt(target, system, exports, true);
    if (written.ok) return;
    // The next message tries again.
    if (lastSent === sent) lastSent = null;
    fail(written.failure);
  };
  return {
    sections: sections.map(({ id }) => id),
    override: () => findOverride({ computer, settings, agentFolder }),
    switchOf: (section) => switchOf(section, { computer, settings }),
    costs: () => {
      const switches = { computer, settings };
      return findSectionCosts(sections, chat, switches, { choices: choices(), plan: null }, always());
    },
    carryOut: async (step) => {
      const done = await carryOut[step](steps);
      if (!done.ok) return fail(done.failure);
      if (done.value === null) return;
      const { path, message: notice } = done.value;
      if (notice !== '') new Notice(notice);
      if (step === 'create' && app.vault.getFileByPath(path) !== null) openNote(path);
    },
    templates: async () => {
      await chat.refresh();
      return findTemplateStates(templates);
    },
    createTemplates: startTemplates,
    startOwnMode: async () => {
      const states = await findTemplateStates(templates);
      if (!states.some(({ isThere }) => isThere)) await startTemplates();
    },
    hasNote: (name) => app.vault.getFileByPath(`${agentFolder()}/${name}`) !== null,
    noteUse: async (name) => {
      const path = `${agentFolder()}/${name}`;
      // An empty prompt of the user's own is used as well.
      const read = path === defaultOverridePath(agentFolder()) ? null : await files.read(path);
      if (read?.ok === true && read.value !== null && bodyOf(read.value) === '') return 'empty';
      // What the user typed a moment ago is compared first.
      await chat.refresh();
      return waits(path) ? 'waits' : 'used';
    },
    openOrCreate: async (name) => {
      const path = `${agentFolder()}/${name}`;
      // Also one that waits until the user allows it: reading its text would be refused.
      if (app.vault.getFileByPath(path) !== null) return openNote(path);
      const isPrompt = path === defaultOverridePath(agentFolder());
      const textOf = () => (isPrompt ? steps.startingText() : Promise.resolve(succeed(starterTextFor(name))));
      const created = await createText({ kind: 'vault', path }, textOf, place);
      if (!created.ok) return fail(created.failure);
      openNote(path);
    },
    openNote,
    export: async (kind) => {
      const text = kind === 'template' ? await templateOf(chat) : await resolved();
      if (!text.ok) return fail(text.failure);
      const written = await exportPrompt(findPlace().place, text.value, exports);
      if (!written.ok) return fail(written.failure);
      const { path, isWritten } = written.value;
      new Notice(isWritten ? say.exported(path) : say.leftUnchanged(path));
    },
    exportsByVariable: () => findPlace().fromEnvironment,
    promptSent: (system) => void writeSent(system),
  };
}

const carryOut: Readonly<Record<OverrideStep, (ports: OverrideStepPorts) => Promise<Step>>> = {
  create: createOverride,
  'turn-off': turnOffOverride,
  allow: allowOverride,
  append: appendOverride,
};

async function planFresh(chat: FreshPorts, signal: AbortSignal): Promise<Outcome<RequestPlan>> {
  const prepared = await prepareUnsentTurn(chat, {}, signal);
  return prepared.ok ? succeed(await prepared.value.preview([], '')) : prepared;
}

/** One check at a time over a vault in memory, with everything else in order unless a test says otherwise. */
import { foldChoices } from '../../../../src/core/context/chat-choices';
import {
  type CheckPlace,
  type CheckPorts,
  type CheckReport,
  type CheckResult,
  type NextChoices,
  runChecks,
} from '../../../../src/core/diagnostics/check';
import { checks } from '../../../../src/core/diagnostics/checks';
import { succeed } from '../../../../src/core/ports/failure';
import type { Model } from '../../../../src/core/ports/model';
import { templateBudgets } from '../../../../src/core/prompt/prompt-orchestrator';
import { builtInTemplates } from '../../../../src/core/prompt/tiered-prompt-store';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { scriptedModel } from '../../../support/scripted-model';

export interface CheckBench {
  readonly vault: FakeVault;
  readonly ports: CheckPorts;
  /** What the check of this id finds. */
  run(id: string, choices?: Partial<NextChoices>, scope?: CheckPlace['scope']): Promise<readonly CheckResult[]>;
  reports(choices?: Partial<NextChoices>, scope?: CheckPlace['scope']): Promise<readonly CheckReport[]>;
}

export const note = (properties: string, text = 'Text.'): string => `---\n${properties}\n---\n${text}`;

export function checkBench(files: Readonly<Record<string, string>>, changes: Partial<CheckPorts> = {}): CheckBench {
  const vault = fakeVault(files);
  const model: Model = scriptedModel([]);
  const ports: CheckPorts = {
    vault,
    tokenizer: roughTokenizer,
    toolNames: ['search_notes', 'read_note', 'activate_skill', 'run_subagent'],
    templates: builtInTemplates,
    templateBudget: (tier) => templateBudgets[tier],
    platform: () => 'desktop',
    agentFolder: () => 'Docent',
    settings: () => defaultSettings,
    settingsProblems: () => Promise.resolve([]),
    override: {
      computer: null,
      settings: () => ports.settings(),
      agentFolder: () => 'Docent',
      allowsOutside: () => false,
    },
    contextFiles: () => ['AGENTS.md'],
    model: () => succeed(model),
    access: () => succeed({ provider: null, address: '', hasKey: false }),
    events: () => [],
    readNote: (path, signal) => vault.read(path, signal),
    ...changes,
  };
  const reports: CheckBench['reports'] = (choices = {}, scope = 'all') => {
    const all = { ...foldChoices([], ports.settings()), mentions: [], ...choices };
    return runChecks(checks, ports, all, scope, new AbortController().signal);
  };
  return {
    vault,
    ports,
    reports,
    run: async (id, choices, scope) => {
      const report = (await reports(choices, scope)).find((each) => each.id === id);
      if (report === undefined) throw new Error(`There is no check ${id}.`);
      return report.results;
    },
  };
}

/** Level and words of each result, and the note's name before them. */
export function formatResults(results: readonly CheckResult[]): string[] {
  return results.map(({ level, words, path }) => `${level}: ${path === undefined ? '' : `${path}: `}${words}`);
}

/** Labels of the steps offered, with what they are about. */
export function steps(results: readonly CheckResult[]): string[] {
  return results.flatMap(({ actions = [] }) =>
    actions.map(({ id, path }) => (path === undefined ? id : `${id} ${path}`)),
  );
}

/** Puts together what the diagnostics look at. */
import type { ChatPorts } from './core/chat/chat-view-state';
import { chatToolsOf } from './core/context/chat-tools';
import { type CheckPorts, runChecks } from './core/diagnostics/check';
import { checks } from './core/diagnostics/checks';
import type { EventLog } from './core/diagnostics/event-log';
import type { PromptRegistry } from './core/library/prompt-registry';
import { templateBudgets } from './core/prompt/prompt-orchestrator';
import { builtInTemplates } from './core/prompt/tiered-prompt-store';
import type { openModels } from './models/open';
import type { DiagnosticsPorts } from './ui/state/ports';
import type { SettingsFile } from './vault/settings-file';

export interface CheckedParts extends Pick<CheckPorts, 'override' | 'writes'> {
  readonly chat: ChatPorts;
  readonly registry: PromptRegistry;
  readonly models: ReturnType<typeof openModels>;
  readonly file: SettingsFile;
  readonly log: EventLog;
}

export function openChecks({ chat, registry, models, file, log, ...parts }: CheckedParts): DiagnosticsPorts['check'] {
  const ports: CheckPorts = {
    ...parts,
    vault: chat.vault,
    tokenizer: chat.tokenizer,
    get toolNames() {
      return chatToolsOf(chat).map(({ name }) => name);
    },
    registered: (id) => registry.get(id),
    templates: builtInTemplates,
    templateBudget: (tier) => templateBudgets[tier],
    platform: () => chat.surroundings.device().platform,
    agentFolder: () => file.settings.agentFolder,
    settings: () => file.settings,
    settingsProblems: () => file.problems(),
    contextFiles: () => chat.surroundings.settings().contextFiles,
    model: (id) => chat.model(id),
    access: models.access,
    events: () => log.events,
    readNote: (path, signal) => chat.notes.read(path, signal),
  };
  return (choices, scope, signal) => runChecks(checks, ports, choices, scope, signal);
}

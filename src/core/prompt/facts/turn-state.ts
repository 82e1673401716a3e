/**
 * The state that the composition is written for: tier, mode, permissions, tools, and values of the settings and the
 * device.
 */
import type { ModelFamily } from '../../ports/model';
import type { ModeId, PermissionMode, Tier } from '../../settings/mode';
import type { Fact } from '../section';
import type { DeviceFacts, PromptSettings, TurnContext, World } from '../world';

export interface TurnState {
  readonly tier: Tier;
  readonly mode: ModeId;
  /** Whether the model needs less guidance (R016). */
  readonly modernModel: boolean;
  /** Absent for a model of no known family. */
  readonly modelFamily?: ModelFamily;
  readonly permissionMode: PermissionMode;
  /** Names of the tools that are declared to the model. */
  readonly toolNames: readonly string[];
  /** Whether a user is present to answer. */
  readonly interactive: boolean;
  /** Tokens. */
  readonly contextWindow: number;
  readonly platform: DeviceFacts['platform'];
  readonly repository: boolean;
  /** Whether other plugins add to requests or results. */
  readonly hooked: boolean;
  readonly agentFolder: string;
  readonly agentName: string;
  readonly brevity: PromptSettings['brevity'];
  readonly sanityChecks: PromptSettings['sanityChecks'];
}

export const turnState: Fact<TurnState> = {
  id: 'turn-state',
  gather: (world) => turnStateOf(world),
};

export function turnStateOf({ turn, settings, device, agentFolder }: World): TurnState {
  return {
    tier: turn.tier,
    mode: turn.mode,
    modernModel: turn.modernModel,
    ...(turn.modelFamily !== undefined && { modelFamily: turn.modelFamily }),
    permissionMode: turn.permissionMode,
    toolNames: turn.toolNames,
    interactive: settings.interactive,
    contextWindow: turn.contextWindow,
    platform: device.platform,
    repository: device.repository,
    hooked: turn.hooked,
    agentFolder,
    agentName: settings.agentName,
    brevity: settings.brevity,
    sanityChecks: settings.sanityChecks,
  };
}

/** Whether the prompt has a section: neither the chat leaves it out, nor do the settings or the environment. */
export function hasSection(
  { sectionsOff = [], sectionsOn }: Pick<TurnContext, 'sectionsOff' | 'sectionsOn'>,
  id: string,
): boolean {
  return !sectionsOff.includes(id) && sectionsOn?.includes(id) !== false;
}

/** What the model is offered, for sections that need nothing else of the turn. */
export type Offered = Pick<TurnState, 'toolNames'>;

export const offeredTools: Fact<Offered> = {
  id: 'offered-tools',
  gather: ({ turn: { toolNames } }) => ({ toolNames }),
};

/** Whether any of these tools is declared to the model; a text may name no others. */
export function offers({ toolNames }: Offered, ...names: readonly string[]): boolean {
  return names.some((name) => toolNames.includes(name));
}

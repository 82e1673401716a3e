/** The mode in the prompt: its template, the notice of a change, and additions for a family of models. */
import { words } from '../../../text';
import type { Content } from '../../markup/markup';
import { collapseBlankLines } from '../../markup/prose';
import type { ModeId } from '../../settings/mode';
import frontier from '../families/frontier.eta.md';
import reasoning from '../families/reasoning.eta.md';
import small from '../families/small.eta.md';
import { type Fact, section } from '../section';
import { readTemplateContext, writeTemplate } from '../template-record';
import { findTemplate } from '../tiered-prompt-store';
import type { TemplateText } from '../user-text';
import type { ModelSuffix, World } from '../world';

/**
 * The template of the chat's mode at its tier, as the orchestrator finds it, with the addition for the model's family.
 */
export const modeTemplate: Fact<TemplateText> = {
  id: 'mode-template',
  gather: async (world, signal) => {
    const [base, suffix] = await Promise.all([
      findTemplate(world, world.turn.headMode, signal),
      writeSuffix(world, signal),
    ]);
    const withSuffix = (text: string): string =>
      collapseBlankLines([text, suffix].filter((part) => part !== '').join('\n\n'));
    return typeof base === 'string' ? withSuffix(base) : { ...base, own: withSuffix(base.own) };
  },
};

/** Reads nothing for a family without a suffix. */
async function writeSuffix(world: World, signal: AbortSignal): Promise<string> {
  const suffix = world.prompts.suffixes.find(({ family }) => family === world.turn.modelFamily);
  if (suffix === undefined) return '';
  return suffix.write(await readTemplateContext(world, signal)).trim();
}

/** The role of the agent and how it works: the template of the chat's mode at its tier. */
export const modeTemplateSection = section({
  id: 'mode-template',
  zone: 'instructions',
  buildOrder: 10,
  priority: 100,
  trim: 'never',
  needs: { template: modeTemplate },
  when: ({ template }) => template !== '',
  full: ({ template }) => [template],
});

interface ModeChange {
  readonly from: ModeId;
  readonly to: ModeId;
  /** The template of the mode; null if the system prompt already contains it. */
  readonly text: TemplateText | null;
}

/** The change of mode in the middle of a chat, on the first turn in the new mode (K4). */
export const modeNotice: Fact<ModeChange | null> = {
  id: 'mode-notice',
  gather: async (world, signal) => {
    const { mode, headMode, earlierMode } = world.turn;
    if (earlierMode === null || earlierMode === mode) return null;
    const text = mode === headMode ? null : await findTemplate(world, mode, signal);
    return { from: earlierMode, to: mode, text };
  },
};

/** Reports that the user selected another mode, with its template (K4, R107). */
export const modeNoticeSection = section({
  id: 'mode-notice',
  tag: 'mode_notice',
  zone: 'turn',
  buildOrder: 117,
  priority: 96,
  trim: 'never',
  needs: { change: modeNotice },
  when: ({ change }) => change !== null,
  full: ({ change }) => {
    if (change === null) return [];
    return withText(change);
  },
});

function withText(change: ModeChange): Content {
  const announced = announce(change);
  if (change.text === null) return [`${announced} Follow the instructions at the beginning again.`];
  return [`${announced} Follow these instructions instead of the earlier mode's:\n\n`, change.text];
}

function announce({ from, to }: ModeChange): string {
  return `The user changed the mode of this chat from ${nameOf(from)} to ${nameOf(to)}.`;
}

/** Returns the name from the settings, so that user and model use the same word. */
function nameOf(mode: ModeId): string {
  return words.settings.modes[mode];
}

/** THE list of suffixes: a template per family of models, appended to the base prompt (R025). */
export const modelSuffixes: readonly ModelSuffix[] = [
  { family: 'small', write: (it) => writeTemplate(small, it) },
  { family: 'reasoning', write: (it) => writeTemplate(reasoning, it) },
  { family: 'frontier', write: (it) => writeTemplate(frontier, it) },
];

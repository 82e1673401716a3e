/**
 * Baselines for the prompt cache: the same conversations, assembled in other orders. `naive_seed_004` rewrites its
 * whole prompt for each request. `seed_002` puts the notes and the tree before the history, and moves a changed text
 * out of its tier immediately.
 */
import { element, write } from '../../../src/core/markup/markup';
import type { Message } from '../../../src/core/ports/message';
import type { Block, Breakpoint, RequestPlan } from '../../../src/core/ports/request-plan';
import { headers, replies } from '../../../src/core/prompt/world';
import {
  emptyStability,
  type ReferenceItem,
  type StabilityState,
  StabilityTracker,
} from '../../../src/core/request/stability-tracker';
import type { Recorded } from '../cache/cache-recorder';
import { buildNaivePrompt } from './naive-builder';

/** Takes the requests in their order and carries state from one to the next. */
export type RequestOrder = (recorded: readonly Recorded[]) => Promise<RequestPlan[]>;

export const requestOrders: Readonly<Record<string, RequestOrder>> = {
  naive_seed_004: naiveOrder,
  seed_002: (recorded) => Promise.resolve(tieredOrder(recorded, { promotes: true, notesBeforeHistory: true })),
};

/** Alternatives to the plugin's own order. They are measured in the same run and reported as progress. */
export const alternatives: Readonly<Record<string, RequestOrder>> = {
  rolling_marker_alone: (recorded) => Promise.resolve(withMarkers(recorded, ({ ends }) => ends === 'turn')),
  head_and_rolling: (recorded) =>
    Promise.resolve(withMarkers(recorded, ({ ends }) => ends === 'turn' || ends === 'L0')),
  live_tiers: (recorded) => Promise.resolve(tieredOrder(recorded, { promotes: false, notesBeforeHistory: false })),
  live_tiers_promoting: (recorded) =>
    Promise.resolve(tieredOrder(recorded, { promotes: true, notesBeforeHistory: false })),
};

function withMarkers(recorded: readonly Recorded[], keeps: (mark: Breakpoint) => boolean): RequestPlan[] {
  return recorded.map(({ plan }) => ({ ...plan, breakpoints: (plan.breakpoints ?? []).filter(keeps) }));
}

async function naiveOrder(recorded: readonly Recorded[]): Promise<RequestPlan[]> {
  const plans: RequestPlan[] = [];
  for (const [index, { plan, said, attached, files }] of recorded.entries()) {
    const system = await buildNaivePrompt({
      now: 1_795_000_000_000 + index * 41_003,
      contextNotes: attached.map(({ path }) => path),
      rootFolders: [...new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''))],
      rootFiles: files.filter((path) => !path.includes('/')),
      workspaces: [],
      prompts: [],
      agents: [{ name: 'vault', description: 'reads and searches', tools: plan.tools.map(({ name }) => name) }],
      readNote: (path) => Promise.resolve(attached.find((note) => note.path === path)?.text ?? ''),
    });
    // The naive builder describes its tools in the prompt instead of in the request's list of tools (seed 004).
    plans.push({ ...plan, system: `${system}\n${instructionsOf(plan)}`, messages: said, tools: [], breakpoints: [] });
  }
  return plans;
}

function instructionsOf({ blocks }: RequestPlan): string {
  return blocks
    .filter(({ zone, place, text }) => zone === 'instructions' && place === 'system' && text !== '')
    .map(({ text }) => text)
    .join('\n\n');
}

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

interface TieredWay {
  readonly promotes: boolean;
  readonly notesBeforeHistory: boolean;
}

function tieredOrder(recorded: readonly Recorded[], { promotes, notesBeforeHistory }: TieredWay): RequestPlan[] {
  const tracker = new StabilityTracker({ cacheTarget: 1_127, promotes });
  let state: StabilityState = emptyStability;
  let turn = -1;
  return recorded.map((each): RequestPlan => {
    const { plan, said, attached, listing, files } = each;
    const texts = new Map<string, string>();
    const items: ReferenceItem[] = [];
    if (listing.form === 'map') {
      const cold = [...listing.blocks].sort((a, b) => (a.modified ?? 0) - (b.modified ?? 0));
      for (const { path, text } of cold) {
        const written = write([element('folder', { path: path || '/' }, text)]).text;
        texts.set(`map:${path}`, written);
        items.push({ key: `map:${path}`, hash: written, tokens: Math.ceil(written.length / 4) });
      }
    }
    if (turn === -1) state = tracker.seed(items);
    else if (turn !== each.turn) state = tracker.update(state, items).state;
    turn = each.turn;
    const inTier = (tier: string): string =>
      state.items
        .filter((item) => item.tier === tier)
        .map(({ key }) => texts.get(key) ?? '')
        .join('\n\n');
    const messages: Message[] = [];
    const breakpoints: Breakpoint[] = [{ after: 'system', ends: 'L0' }];
    for (const tier of ['L1', 'L2', 'L3', 'active'] as const) {
      if (inTier(tier) === '') continue;
      messages.push(user(`${headers.TIER_SYMBOLS_HEADER}\n\n${inTier(tier)}`), assistant(replies.ok));
      if (tier !== 'active') breakpoints.push({ after: messages.length - 1, ends: 'L2' });
    }
    if (notesBeforeHistory) {
      messages.push(user(`${headers.FILE_TREE_HEADER}\n${files.join('\n')}`), assistant(replies.ok));
      if (attached.length > 0) {
        const notes = attached.map(({ path, text }) => write([element('note', { path }, text)]).text);
        messages.push(user(`${headers.FILES_ACTIVE_HEADER}\n\n${notes.join('\n\n')}`), assistant(replies.ok));
      }
      messages.push(...said);
    } else {
      messages.push(...conversationOf(plan));
      breakpoints.push({ after: messages.length - 1, ends: 'turn' });
    }
    const isRule = ({ item = '', section }: Block): boolean => item.startsWith('rule:') && section !== 'vault-listing';
    const rules = plan.blocks.filter(isRule).map(({ text }) => text);
    const system = [instructionsOf(plan), ...rules, headers.REPO_MAP_HEADER, inTier('L0')].filter(
      (text) => text !== '',
    );
    return { ...plan, system: system.join('\n\n'), messages, breakpoints: breakpoints.slice(-4) };
  });
}

/** Returns the conversation with the texts that surround its messages, but without the tiers before it. */
function conversationOf({ blocks, messages }: RequestPlan): readonly Message[] {
  const opening = blocks.find(({ place }) => place === 'first-message')?.text;
  const at = messages.findIndex(({ parts }) => parts[0]?.type === 'text' && parts[0].text === opening);
  return at === -1 ? messages : messages.slice(at);
}

/** Hooks: the hooks of other plugins, and the only place that runs their code (R139-R142, R241). */
import { words } from '../../text';
import { type After, runBounded, subscribeTo } from '../base/async';
import { startOf } from '../base/cut';
import { normalizePathToXmlTag } from '../markup/markup';
import { messageOf, type Outcome } from '../ports/failure';
import type { ToolCallPart } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import type { Addition, Mention, Source } from '../session/entry';
import type { ContextEventName, PluginEvents, PluginListener } from './context-events';
import {
  type Compression,
  checkText,
  type Hook,
  type ModelRequestChange,
  viewCall,
  viewPlan,
  viewRequest,
  viewResult,
} from './hook';
import type { PluginSkill, PluginSkills } from './plugin-skills';

/** The maximum milliseconds of one hook call. */
const hookMilliseconds = 5_000;

/** The outcome of running hooks: texts to add, in order, and messages about failed hooks. */
export interface HookTexts {
  readonly additions: readonly Addition[];
  readonly reports: readonly string[];
}

export interface HookChanges {
  readonly changes: readonly { readonly label: string; readonly change: ModelRequestChange }[];
  readonly reports: readonly string[];
}

/** The user's message that hooks are given, and the window that their texts share with it. */
interface HookedMessage {
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly contextWindow: number;
}

/** A tool result that hooks are given, and the window that their texts share with it. */
interface HookedCallResult {
  readonly text: string;
  readonly isError: boolean;
  readonly sources: readonly Source[];
  readonly contextWindow: number;
}

export interface ActiveHook {
  readonly id: string;
  readonly label: string;
}

type Event = 'beforeAgent' | 'afterTool' | 'beforeModel' | 'preCompress';

interface Registered extends ActiveHook {
  readonly hook: Hook;
  /** Events whose last call timed out; the hook is not called for them again until that call returns. */
  readonly late: Set<Event>;
}

/** The maximum characters of a label, and of an error message. */
const maxLabelLength = 60;
const maxProblemLength = 200;

export class Hooks {
  private registered: readonly Registered[] = [];
  private readonly listeners = new Set<(active: readonly ActiveHook[]) => void>();

  constructor(private readonly after: After) {}

  /**
   * Registers a hook and returns a function that unregisters it.
   * @throws if the id or label is missing or invalid, or if the id is already registered
   */
  register(hook: Hook): () => void {
    const { id } = hook;
    if (typeof id !== 'string' || !/^[\w.:-]+$/.test(id)) throw new Error(words.hooks.wrongId(String(id)));
    const label = typeof hook.label === 'string' ? startOf(hook.label.replace(/\s+/g, ' ').trim(), maxLabelLength) : '';
    if (label === '') throw new Error(words.hooks.wrongLabel(id));
    if (this.registered.some((each) => each.id === id)) throw new Error(words.hooks.takenId(id));
    const entry: Registered = { id, label, hook, late: new Set() };
    this.change([...this.registered, entry].sort((a, b) => (a.id < b.id ? -1 : 1)));
    return () => {
      const rest = this.registered.filter((each) => each !== entry);
      if (rest.length < this.registered.length) this.change(rest);
    };
  }

  /** Returns the registered hooks in the order in which they run. */
  get active(): readonly ActiveHook[] {
    return this.registered.map(({ id, label }) => ({ id, label }));
  }

  /** Calls the listener after each registration or removal, until the returned function is called. */
  subscribe(listener: (active: readonly ActiveHook[]) => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Runs the hooks before the user's message is answered. */
  beforeAgent(
    conversation: string,
    { text, mentions, contextWindow }: HookedMessage,
    stop: AbortSignal,
  ): Promise<HookTexts> {
    return this.gatherTexts('beforeAgent', contextWindow, stop, (hook, signal) =>
      hook.beforeAgent?.(viewRequest(conversation, text, mentions), signal),
    );
  }

  /** Runs the hooks after a tool call, with its result. */
  afterTool(conversation: string, call: ToolCallPart, result: HookedCallResult, stop: AbortSignal): Promise<HookTexts> {
    return this.gatherTexts('afterTool', result.contextWindow, stop, (hook, signal) =>
      hook.afterTool?.(viewCall(conversation, call), viewResult(result), signal),
    );
  }

  /**
   * Runs the hooks before a request. Each change is valid alone; the caller checks whether all fit the context window.
   */
  async beforeModel(plan: RequestPlan, stop: AbortSignal): Promise<HookChanges> {
    const changes: { label: string; change: ModelRequestChange }[] = [];
    const reports: string[] = [];
    for (const { label, outcome } of await this.runAll(
      'beforeModel',
      stop,
      (hook, signal) => hook.beforeModel?.(viewPlan(plan), signal),
      async (name, answer) => {
        const { checkChange } = await import('./check-change');
        return checkChange(name, answer, plan.maxOutputTokens);
      },
    )) {
      if (!outcome.ok) reports.push(outcome.failure.words);
      else if (outcome.value !== null) changes.push({ label, change: outcome.value });
    }
    return { changes, reports };
  }

  /** Runs the hooks before a history is summarized; returns the error messages. */
  async preCompress(compression: Compression, stop: AbortSignal): Promise<readonly string[]> {
    const ran = await this.runAll(
      'preCompress',
      stop,
      (hook, signal) => hook.preCompress?.({ ...compression }, signal),
      () => ({ ok: true, value: null }),
    );
    return ran.flatMap(({ outcome }) => (outcome.ok ? [] : outcome.failure.words));
  }

  private async gatherTexts(
    event: Event,
    contextWindow: number,
    stop: AbortSignal,
    call: (hook: Hook, signal: AbortSignal) => unknown,
  ): Promise<HookTexts> {
    const additions: Addition[] = [];
    const reports: string[] = [];
    const check = (label: string, answer: unknown) => checkText(label, answer, contextWindow);
    for (const { label, outcome } of await this.runAll(event, stop, call, check)) {
      if (!outcome.ok) reports.push(outcome.failure.words);
      else if (outcome.value !== null) additions.push({ kind: 'hook', source: label, text: outcome.value });
    }
    return { additions, reports };
  }

  /**
   * Runs hooks one after another in the order of ids; stopped hooks, and those still busy with an earlier call, add
   * nothing.
   */
  private async runAll<Value>(
    event: Event,
    stop: AbortSignal,
    call: (hook: Hook, signal: AbortSignal) => unknown,
    check: (label: string, answer: unknown) => Outcome<Value> | Promise<Outcome<Value>>,
  ): Promise<{ readonly label: string; readonly outcome: Outcome<Value> }[]> {
    const ran: { label: string; outcome: Outcome<Value> }[] = [];
    for (const { label, hook, late } of this.registered) {
      if (typeof hook[event] !== 'function' || late.has(event)) continue;
      const bounded = await runBounded(
        (signal) => Promise.resolve(call(hook, signal)).then((answer) => check(label, answer)),
        {
          milliseconds: hookMilliseconds,
          after: this.after,
          stop,
          onLate: () => void late.add(event),
          onSettled: () => void late.delete(event),
        },
      );
      if (bounded.type === 'value') ran.push({ label, outcome: bounded.value });
      if (bounded.type === 'threw') {
        const problem = startOf(messageOf(bounded.thrown), maxProblemLength);
        ran.push({ label, outcome: fault(words.hooks.failed(label, problem)) });
      }
      if (bounded.type === 'late') {
        ran.push({ label, outcome: fault(words.hooks.tooSlow(label, hookMilliseconds / 1000)) });
      }
    }
    return ran;
  }

  private change(registered: readonly Registered[]): void {
    this.registered = registered;
    for (const listener of this.listeners) listener(this.active);
  }
}

function fault(text: string): Outcome<never> {
  return { ok: false, failure: { kind: 'interrupted', words: text, remedy: '' } };
}

/** Docent's API for other plugins. Its version increases with every breaking change. */
export interface PluginApi<Build> {
  readonly version: 1;
  readonly hooks: {
    /**
     * Returns a function that unregisters the hook; pass it to the plugin's own `register`, so that it runs on unload.
     */
    register(hook: Hook): () => void;
  };
  readonly events: {
    /** Returns a function that ends the subscription; pass it to the plugin's own `register` (R257). */
    subscribe(name: ContextEventName, listener: PluginListener): () => void;
  };
  readonly skills: {
    /** Returns a function that takes the skill back; pass it to the plugin's own `register` (R134). */
    register(skill: PluginSkill): () => void;
  };
  /** Composes a system prompt for a request without a history (R021-R023). */
  readonly buildSystemPrompt: Build;
  /** Returns a label for a path, for tags of other plugins (R169). Two paths may share it: it never identifies a note. */
  normalizePathToXmlTag(path: string): string;
}

/** What the functions of the API work on. */
export interface ApiParts {
  readonly hooks: Pick<Hooks, 'register'>;
  readonly events: Pick<PluginEvents, 'subscribe'>;
  readonly skills: Pick<PluginSkills, 'register'>;
}

export function pluginApi<Build>({ hooks, events, skills }: ApiParts, buildSystemPrompt: Build): PluginApi<Build> {
  return Object.freeze({
    version: 1,
    hooks: Object.freeze({ register: (hook: Hook) => hooks.register(hook) }),
    events: Object.freeze({
      subscribe: (name: ContextEventName, listener: PluginListener) => events.subscribe(name, listener),
    }),
    skills: Object.freeze({ register: (skill: PluginSkill) => skills.register(skill) }),
    buildSystemPrompt,
    normalizePathToXmlTag,
  });
}

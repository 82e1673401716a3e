/** PluginSkills: the skills that other plugins give to Docent's agent (R134). */
import { subscribeTo } from '../base/async';
import { words } from '../../text';
import { compareText } from '../base/list-edits';
import type { GivenSkill } from '../library/skills';

/** A skill as another plugin gives it, in the terms of the Agent Skills format. */
export interface PluginSkill {
  /** Lowercase letters, digits and single hyphens. */
  readonly name: string;
  /** What it does, and when to use it. */
  readonly description: string;
  /** Its instructions, in Markdown. */
  readonly body: string;
  /** The tools that a turn is limited to while it follows the skill; all if absent. */
  readonly allowedTools?: readonly string[];
}

/** The beginning of the labels of these skills, which have no note. */
const labelStart = 'plugin/';

export class PluginSkills {
  private list: readonly GivenSkill[] = [];
  private readonly listeners = new Set<() => void>();

  /** Returns the registered skills, sorted by name; the same array until one comes or goes. */
  get skills(): readonly GivenSkill[] {
    return this.list;
  }

  /**
   * Registers a skill and returns a function that takes it back.
   * @throws if a field is not a text, or if the name is taken
   */
  register({ name, description, body, allowedTools }: PluginSkill): () => void {
    const isText = [name, description, body].every((field) => typeof field === 'string' && field.trim() !== '');
    if (!isText) throw new Error(words.hooks.wrongSkill);
    if (this.list.some((each) => each.name === name)) throw new Error(words.hooks.takenSkill(name));
    const limit = allowedTools === undefined ? {} : { allowedTools: [...allowedTools].map(String) };
    const skill: GivenSkill = { name, description, body, ...limit, source: 'plugin', location: labelStart + name };
    this.change([...this.list, skill].sort((a, b) => compareText(a.name, b.name)));
    return () => {
      const rest = this.list.filter((each) => each !== skill);
      if (rest.length < this.list.length) this.change(rest);
    };
  }

  /** Calls the listener after each registration or removal, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  private change(list: readonly GivenSkill[]): void {
    this.list = list;
    for (const listener of this.listeners) listener();
  }
}

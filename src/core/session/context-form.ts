/** Context forms: how parts of a history are sent, as the user or the fullness of the window has decided; the newest word counts. */
import type { FormChange, SessionEntry } from './entry';

export type ContextForm = FormChange['form'];
export type ContextForms = ReadonlyMap<string, ContextForm>;

/** What has a form: parts of the history, a section of the prompt, and a note that always stands in it. */
export const targetOf = {
  result: (entry: string): string => `result:${entry}`,
  exchange: (userEntry: string): string => `exchange:${userEntry}`,
  round: (answerEntry: string): string => `round:${answerEntry}`,
  /** A note that was sent with a message. */
  note: (zoneEntry: string, path: string): string => `note:${zoneEntry}:${path}`,
  /** An image that was sent with a message. */
  image: (userEntry: string, digest: string): string => `image:${userEntry}:${digest}`,
  section: (id: string): string => `section:${id}`,
  /** A note that always stands in the prompt. */
  standing: (path: string): string => `standing:${path}`,
} as const;

/** What is not named is sent whole. */
export function foldForms(entries: readonly SessionEntry[]): ContextForms {
  const forms = new Map<string, ContextForm>();
  for (const entry of entries) {
    if (entry.kind !== 'context-forms') continue;
    for (const { target, form } of entry.forms) forms.set(target, form);
  }
  return forms;
}

/** Whether it is a part of the prompt, not of the history. */
export function isStanding(target: string): boolean {
  return target.startsWith(targetOf.section('')) || target.startsWith(targetOf.standing(''));
}

/** How the user has a section, or a note that always stands in the prompt, sent. */
export type StandingForm = 'pinned' | 'outline';
export type StandingForms = Readonly<Record<string, StandingForm>>;

/** By id of the section, and by path of the note; what is sent as usual is not named. */
export function foldStandingForms(entries: readonly SessionEntry[]): {
  readonly sections: StandingForms;
  readonly notes: StandingForms;
} {
  const sections: Record<string, StandingForm> = {};
  const notes: Record<string, StandingForm> = {};
  for (const [target, form] of foldForms(entries)) {
    if (form !== 'pinned' && form !== 'outline') continue;
    const name = target.slice(target.indexOf(':') + 1);
    if (target === targetOf.section(name)) sections[name] = form;
    if (target === targetOf.standing(name)) notes[name] = form;
  }
  return { sections, notes };
}

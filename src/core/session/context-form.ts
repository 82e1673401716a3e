/** Context forms: how parts of a history are sent, as the user or the fullness of the window has decided; the newest word counts. */
import type { FormChange, SessionEntry } from './entry';

export type ContextForm = FormChange['form'];
export type ContextForms = ReadonlyMap<string, ContextForm>;

/** What has a form: a tool result, a message with its answers, an answer with its calls, a note sent with a message. */
export const targetOf = {
  result: (entry: string): string => `result:${entry}`,
  exchange: (userEntry: string): string => `exchange:${userEntry}`,
  round: (answerEntry: string): string => `round:${answerEntry}`,
  note: (zoneEntry: string, path: string): string => `note:${zoneEntry}:${path}`,
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

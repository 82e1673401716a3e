/** Folds the events of a stream into the parts of an answer. */
import type { AssistantPart } from '../ports/message';
import type { ModelEvent } from '../ports/model';

/** Returns the same parts when the event adds none. */
export function addDelta(parts: readonly AssistantPart[], event: ModelEvent): readonly AssistantPart[] {
  const last = parts.at(-1);
  switch (event.type) {
    case 'text-delta':
      return last?.type === 'text'
        ? [...parts.slice(0, -1), { type: 'text', text: last.text + event.text }]
        : [...parts, { type: 'text', text: event.text }];
    case 'reasoning-delta':
      return last?.type === 'reasoning' && last.providerData === undefined
        ? [...parts.slice(0, -1), { type: 'reasoning', text: last.text + event.text }]
        : [...parts, { type: 'reasoning', text: event.text }];
    case 'reasoning-end':
      if (event.providerData === undefined) return parts;
      return last?.type === 'reasoning'
        ? [...parts.slice(0, -1), { ...last, providerData: event.providerData }]
        : [...parts, { type: 'reasoning', text: '', providerData: event.providerData }];
    case 'tool-call':
      return [...parts, event.call];
    case 'finish':
    case 'waiting':
    case 'notice':
    case 'failure':
      return parts;
  }
}

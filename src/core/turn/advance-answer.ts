/** The answer under way as the pane shows it, brought forward event by event. */
import { type AnswerItem, type AnswerPart, withResult } from '../session/transcript';
import type { TurnEvent } from './turn-input';

/** Returns the same object when the event does not show in the answer. */
export function advanceAnswer(answer: AnswerItem, event: TurnEvent): AnswerItem {
  switch (event.type) {
    case 'text-delta':
      return { ...answer, parts: appendText(answer.parts, 'text', event.text) };
    case 'reasoning-delta':
      return { ...answer, parts: appendText(answer.parts, 'reasoning', event.text) };
    case 'tool-call-started': {
      const { id, name, argumentsText } = event.call;
      return {
        ...answer,
        parts: [...answer.parts, { type: 'tool-call', callId: id, name, argumentsText, result: null }],
      };
    }
    case 'tool-call-ended':
      return { ...answer, parts: withResult(answer.parts, event.callId, event) };
    default:
      return answer;
  }
}

function appendText(parts: readonly AnswerPart[], type: 'text' | 'reasoning', text: string): AnswerPart[] {
  const last = parts.at(-1);
  if (last?.type !== type) return [...parts, { type, text }];
  return [...parts.slice(0, -1), { type, text: last.text + text }];
}

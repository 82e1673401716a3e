/** Checks the texts that hooks answer: other plugins are not bound by our types, and the request must stay sound. */
import { words } from '../../text';
import { cutToTokens } from '../markup/budget';
import { fail, type Outcome, succeed } from '../ports/failure';

/** Tokens of one hook's text. */
const hookTokens = 4_000;

/** The text, null for none; longer than allowed it is cut and says so. */
export function checkText(label: string, answer: unknown): Outcome<string | null> {
  if (answer === undefined || answer === null) return succeed(null);
  if (typeof answer !== 'string') return refuse(words.hooks.noText(label));
  const text = answer.trim();
  if (text === '') return succeed(null);
  const { text: kept, cut } = cutToTokens(text, hookTokens);
  return succeed(cut ? `${kept}\n[Cut here: ${kept.length} of ${text.length} characters shown.]` : text);
}

/** An answer that cannot be used. */
export function refuse(text: string): Outcome<never> {
  return fail({ kind: 'invalid-input', words: text, remedy: '' });
}

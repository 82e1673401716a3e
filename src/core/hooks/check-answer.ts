/** Checks what hooks answer: other plugins are not bound by our types, and the request must stay sound. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { type Outcome, fail, succeed } from '../failure';
import { cutToTokens } from '../memory/cut-to-tokens';
import type { ModelRequestChange } from './hook';

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

/**
 * The change, null for none. Nothing but the three members may change, so calls and results stay paired and what was
 * sent before stays as it was.
 * @param limit tokens that the answer may have as planned
 */
export function checkChange(label: string, answer: unknown, limit: number): Outcome<ModelRequestChange | null> {
  if (answer === undefined || answer === null) return succeed(null);
  const shape = z.strictObject({
    text: z.string().optional(),
    maxOutputTokens: z.int().min(1).max(limit).optional(),
    temperature: z.number().min(0).max(2).optional(),
  });
  const checked = shape.safeParse(answer);
  if (!checked.success) return refuse(words.hooks.wrongChange(label, problemOf(checked.error)));
  const { maxOutputTokens, temperature } = checked.data;
  const text = checkText(label, checked.data.text);
  if (!text.ok) return text;
  return succeed({
    ...(text.value === null ? {} : { text: text.value }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  });
}

function problemOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}

function refuse(text: string): Outcome<never> {
  return fail({ kind: 'invalid-input', words: text, remedy: '' });
}

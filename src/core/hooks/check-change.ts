/**
 * Checks the request changes that hooks return. Imported only when there is one, because it loads the schema library.
 */
import * as z from 'zod/v4';
import { words } from '../../text';
import { type Outcome, succeed } from '../ports/failure';
import { checkText, type ModelRequestChange, refuse } from './hook';

/**
 * Returns the change; null for none. Only the three members may change, so that tool calls stay paired with results and
 * sent messages stay as they were sent.
 * @param limit the planned maximum of output tokens
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

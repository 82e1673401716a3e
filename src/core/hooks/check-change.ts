/** Checks the changes of a request that hooks answer. Only imported once there is one: it needs the library of schemas. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { type Outcome, succeed } from '../ports/failure';
import { checkText, type ModelRequestChange, refuse } from './hook';

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

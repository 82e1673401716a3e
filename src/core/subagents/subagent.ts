/** Sub-agent: a helper with its own role, few reading tools and maybe its own model (R137). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { lazy } from '../base/lazy';
import { descriptionSchema, nameSchema, namesSchema } from '../skills/skill';

export interface Subagent {
  readonly name: string;
  readonly description: string;
  /** Names of the tools it may use, as far as they are offered and only read. */
  readonly tools: readonly string[];
  /** `provider/model`; without one it runs on the chat's model. */
  readonly model?: string;
  /** The variable that stands for the task in its preamble. */
  readonly queryVariable: string;
  readonly source: 'built-in' | 'agent-folder';
  /** Path of its note; for a built-in one a label such as `built-in/name`. */
  readonly location: string;
  /** Its role; null when it is the body of its note. */
  readonly preamble: string | null;
}

export const defaultQueryVariable = 'query';

/** The properties of a sub-agent's note; others are allowed and left alone. */
export const subagentSchema = lazy(() => {
  const say = words.agentFolder;
  return z.object({
    name: nameSchema(),
    description: descriptionSchema(),
    tools: namesSchema('tools').nullish(),
    model: z.string(say.fieldNotText('model')).trim().min(1, say.fieldNotText('model')).nullish(),
    query: z
      .string(say.fieldNotText('query'))
      .regex(/^[A-Za-z]\w*$/, say.fieldNotText('query'))
      .nullish(),
  });
});

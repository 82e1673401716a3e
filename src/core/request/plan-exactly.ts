/** Plans with exact counts: what a plan asks for and is not known yet is counted, and the plan made again. */
import type { Tokenizer } from '../ports/model';

/** Each may ask for texts that only the counts before it made necessary, such as the brief forms of sections. */
const mostAttempts = 4;

/** The last attempt stands, exact or not: what cannot be counted is estimated. */
export async function planExactly<T>(tokenizer: Tokenizer, plan: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const planned = plan();
    if (tokenizer.exact || tokenizer.settle === undefined || attempt === mostAttempts) return planned;
    await tokenizer.settle();
  }
}

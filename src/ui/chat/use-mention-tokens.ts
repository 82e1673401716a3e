/** useMentionTokens: what a mention takes of the window, an estimate at first and then as counted in the background. */
import { useEffect, useState } from 'preact/hooks';
import type { MentionCount } from '../../core/mentions/mention-source';
import type { Mention } from '../../core/session/entry';
import { formatTokens, words } from '../../text';
import type { PanePorts } from '../state/ports';

/** @param version changes whenever the text may have changed */
export function useMentionTokens(
  mention: Mention,
  modelId: string,
  version: unknown,
  { mentionTokens }: Pick<PanePorts, 'mentionTokens'>,
): string {
  const [counted, setCounted] = useState<MentionCount | null>(null);
  const { kind, id } = mention;
  useEffect(() => {
    const abort = new AbortController();
    void mentionTokens.count(mention, modelId, abort.signal).then((count) => {
      if (!abort.signal.aborted) setCounted(count);
    });
    return () => abort.abort();
    // A mention is what it names: another object for the same thing asks for no other count.
  }, [kind, id, modelId, version]);
  const shown = counted ?? mentionTokens.known(mention, modelId);
  return shown === null ? '' : words.images.tokens(formatTokens(shown.tokens, shown.exact));
}

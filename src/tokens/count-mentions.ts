/** Counts what mentions stand for: whole notes by their versions, parts of notes anew each time. */
import { splitPart, takePart } from '../core/markdown/structure';
import type { MentionCount, MentionTokens } from '../core/mentions/mention-source';
import type { Vault } from '../core/ports/vault';
import type { TokenFactors } from '../core/request/token-factor';
import type { Mention } from '../core/session/entry';
import type { NoteTokens } from './note-tokens';
import type { TextCounter } from './text-counter';

/** Of a text that nobody has looked at yet. */
const bytesOfToken = 4;

export interface CountMentionsParts {
  readonly vault: Pick<Vault, 'file'>;
  readonly notes: NoteTokens;
  readonly read: ConstructorParameters<typeof NoteTokens>[1];
  readonly counter: TextCounter;
  readonly factors: TokenFactors;
}

export function countMentions({ vault, notes, read, counter, factors }: CountMentionsParts): MentionTokens {
  const scaled = (tokens: number, modelId: string, exact: boolean): MentionCount => {
    const factor = factors.of(modelId);
    return { tokens: Math.round(tokens * factor), exact: exact && factor === 1 };
  };
  return {
    known: (mention, modelId) => {
      const entry = isWholeNote(mention) ? vault.file(mention.id) : undefined;
      if (entry === undefined) return null;
      const tokens = notes.known(entry.path);
      return scaled(tokens ?? Math.ceil(entry.size / bytesOfToken), modelId, tokens !== undefined);
    },
    count: async (mention, modelId, signal) => {
      if (isWholeNote(mention)) {
        const tokens = await notes.count(mention.id, signal);
        return tokens === undefined ? null : scaled(tokens, modelId, true);
      }
      if (mention.kind !== 'heading' && mention.kind !== 'block') return null;
      const { path, part } = splitPart(mention.id, vault);
      const note = await read(path, signal);
      const text = note.ok ? takePart(note.value.path, note.value.text, part).text : null;
      if (text === null) return null;
      const [tokens] = await counter.count([text]).catch(() => [null]);
      return tokens === null || tokens === undefined ? null : scaled(tokens, modelId, true);
    },
  };
}

/** Of a prompt that is no note, the text is not looked up here. */
function isWholeNote({ kind, id }: Mention): boolean {
  return kind === 'note' || (kind === 'prompt' && id.endsWith('.md'));
}

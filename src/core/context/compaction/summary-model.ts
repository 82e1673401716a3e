/** Which model writes the summaries of a chat: by the model of the chat, else by its provider, else the same one (R249). */
import { words } from '../../../text';
import type { Outcome } from '../../ports/failure';
import type { Model } from '../../ports/model';

/**
 * By `provider/model` or by `provider`, the id of the model that summarises. None stands for the same model: it has the
 * beginning of the conversation in its cache, which is cheaper than having another one read it all.
 */
export type SummaryModels = Readonly<Record<string, string>>;

/** Null for the same model. */
export function namedSummaryModel(chatModel: string, table: SummaryModels): string | null {
  const provider = chatModel.slice(0, chatModel.indexOf('/'));
  const named = table[chatModel] ?? table[provider] ?? chatModel;
  return named === chatModel ? null : named;
}

export interface SummaryWriter {
  readonly model: Model;
  /** Why it is not the one that the settings name; null when it is. */
  readonly problem: string | null;
}

export function summaryWriter(
  chatModel: Model,
  table: SummaryModels,
  find: (id: string) => Outcome<Model>,
): SummaryWriter {
  const named = namedSummaryModel(chatModel.description.id, table);
  if (named === null) return { model: chatModel, problem: null };
  const found = find(named);
  if (!found.ok) return { model: chatModel, problem: words.status.writerGone(named, found.failure.words) };
  return { model: found.value, problem: null };
}

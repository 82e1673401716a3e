/** Chooses old parts to clear, many at once: tool results, images, and at last whole exchanges. */
import { outlineNote, tokensByRule } from '../../markup/budget';
import { imageParts, notesIn, type ResultEntry, formatToolResult } from '../../request/history-text';
import type { FormChange, SessionEntry } from '../../session/entry';
import { type ContextForms, foldForms, targetOf } from '../../session/log-state';
import { entrySize, exchangesOf, pinnedExchanges, sentImageTokens, sizeOfAll } from './choose-cut';

// Tool results are cleared many at once, so that the provider's cache is seldom invalidated; the newest stay (design
// 8).

/** Shares of the context window: of the newest results, which stay, and of the tokens that clearing must free. */
const protectedShare = 0.25;
const minWon = 0.15;

/** Results that guide the work, or that contain the user's answers. */
const neverMasked = ['activate_skill', 'ask_user', 'exit_plan_mode'];

export interface MaskLimits {
  /** Tokens of the newest results that stay. */
  readonly protect: number;
  /** The minimum number of tokens to free. */
  readonly least: number;
}

export function maskLimits(window: number): MaskLimits {
  return { protect: Math.floor(window * protectedShare), least: Math.floor(window * minWon) };
}

/** The limits for a request that does not fit otherwise: only the results of the newest answer stay. */
export const maskAll: MaskLimits = { protect: 0, least: 1 };

/**
 * Returns the results to clear, oldest first; none if they would free too little.
 * @param seen what the model sees of the log
 * @param from the entry from which on results always stay: the newest user message, or its newest answer
 */
export function outputsToMask(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  limits: MaskLimits,
  from: 'turn' | 'answer' = 'turn',
): FormChange[] {
  const forms = foldForms(entries);
  const isTurn = from === 'turn';
  const start = seen.map(({ kind }) => kind === 'user' || (!isTurn && kind === 'assistant')).lastIndexOf(true);
  let newestTokens = 0;
  const chosen: { readonly target: string; readonly won: number }[] = [];
  for (let index = seen.length - 1; index >= 0; index -= 1) {
    const entry = seen[index];
    if (entry?.kind !== 'tool-result') continue;
    newestTokens += entrySize(entry);
    if (index > start || newestTokens <= limits.protect) continue;
    const won = winOf(entry, forms);
    if (won > 0) chosen.push({ target: targetOf.result(entry.id), won });
  }
  const all = chosen.reduce((sum, { won }) => sum + won, 0);
  return all < limits.least ? [] : chosen.reverse().map(({ target }) => ({ target, form: 'masked' }));
}

/** Returns the tokens that clearing frees; zero for a result that is pinned, small or already shortened. */
function winOf(entry: ResultEntry, forms: ContextForms): number {
  const form = forms.get(targetOf.result(entry.id));
  if (neverMasked.includes(entry.name) || (form !== undefined && form !== 'whole')) return 0;
  // The images of a result are cleared with its text.
  const now = tokensByRule(entry.text) + sentImageTokens(entry);
  const won = now - tokensByRule(formatToolResult(entry, 'masked'));
  return won > now / 2 ? won : 0;
}

// Attached notes are outlined when a small context window is full: those of earlier turns first (design 8).

/** The minimum number of tokens that outlining a note must free. */
const minNoteWon = 40;

/**
 * Returns the attached notes to replace with their outlines, oldest first. Those of pinned messages and of notes with a
 * form of their own stay.
 * @param seen what the model sees of the log
 * @param of whether those of the newest message are among them
 */
export function notesToOutline(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  of: 'earlier' | 'all' = 'earlier',
): FormChange[] {
  const forms = foldForms(entries);
  const pinned = pinnedExchanges(entries);
  const newest = seen.map(({ kind }) => kind === 'user').lastIndexOf(true);
  const shown = of === 'all' ? seen : seen.slice(0, Math.max(0, newest));
  return exchangesOf(shown).flatMap(({ id, entries: own }) =>
    pinned.has(id)
      ? []
      : own.flatMap((entry) => {
          if (entry.kind !== 'turn-zone') return [];
          const notes = [...entry.before, ...entry.after].flatMap(({ text }) => notesIn(text));
          return notes.flatMap(({ path, body }): FormChange[] => {
            const target = targetOf.note(entry.id, path);
            const won = tokensByRule(body) - tokensByRule(outlineNote(body));
            return forms.has(target) || won < minNoteWon ? [] : [{ target, form: 'outline' }];
          });
        }),
  );
}

// Images are cleared before anything else: the text about them stays, and they use the most tokens (R218, design 8).

/**
 * Returns the images to replace with text notes, oldest first; none if they would free too little. Images of the newest
 * message and of pinned messages stay.
 * @param seen what the model sees of the log
 */
export function imagesToMask(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  limits: MaskLimits,
): FormChange[] {
  const forms = foldForms(entries);
  const pinned = pinnedExchanges(entries);
  const newest = seen.map(({ kind }) => kind === 'user').lastIndexOf(true);
  const chosen: FormChange[] = [];
  let newestTokens = 0;
  let won = 0;
  for (let index = newest; index >= 0; index -= 1) {
    const entry = seen[index];
    if (entry?.kind !== 'user') continue;
    for (const part of imageParts(entry.mentions)) {
      if (part.type !== 'image') continue;
      newestTokens += part.tokens;
      const target = targetOf.image(entry.id, part.image.digest);
      const stays = index === newest || pinned.has(entry.id) || forms.get(target) === 'pinned';
      if (stays || newestTokens <= limits.protect) continue;
      won += part.tokens;
      chosen.push({ target, form: 'masked' });
    }
  }
  return won < limits.least ? [] : chosen.reverse();
}

// The last resort before a request is refused: whole old parts are omitted, so that no call loses its result.

/**
 * Returns what to omit to free this many tokens: the oldest exchanges, then the oldest steps of the newest one. Pinned
 * parts, the newest message and its newest answer stay, so it may free less.
 * @param spare more tokens to free by omitting exchanges, so that the next requests fit as well
 */
export function selectOldestToOmit(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  tokens: number,
  spare = 0,
): FormChange[] {
  const pinned = pinnedExchanges(entries);
  const forms = foldForms(entries);
  const exchanges = exchangesOf(seen);
  const newest = exchanges.at(-1);
  const parts: { readonly target: string; readonly size: number; readonly enough: number }[] = exchanges
    .slice(0, -1)
    .filter(({ id }) => !pinned.has(id))
    .map(({ id, entries: own }) => ({ target: targetOf.exchange(id), size: sizeOfAll(own), enough: tokens + spare }));
  for (const round of roundsOf(newest?.entries ?? []).slice(0, -1)) {
    const isPinned = round.some(({ id }) => forms.get(targetOf.result(id)) === 'pinned');
    const [answer] = round;
    if (answer === undefined || isPinned) continue;
    parts.push({ target: targetOf.round(answer.id), size: sizeOfAll(round), enough: tokens });
  }
  const chosen: FormChange[] = [];
  let won = 0;
  for (const { target, size, enough } of parts) {
    if (won >= enough) break;
    chosen.push({ target, form: 'dropped' });
    won += size;
  }
  return chosen;
}

/** Groups entries into steps: an answer and the results of its calls. */
function roundsOf(entries: readonly SessionEntry[]): SessionEntry[][] {
  const rounds: SessionEntry[][] = [];
  for (const entry of entries) {
    if (entry.kind === 'assistant') rounds.push([]);
    rounds.at(-1)?.push(entry);
  }
  return rounds.filter((round) => round.some((entry) => entrySize(entry) > 0));
}

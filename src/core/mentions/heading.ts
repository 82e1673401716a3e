/** `[[Note#`: the headings of a note; `[[#`: those of the note in front, then of the newest notes. */
import type { MentionCandidate } from './candidate';
import { allLines, type MentionContext, type MentionSource, usualLines } from './mention-source';
import { linkTextOf, newestNotes } from './note';
import { readNotePart } from './note-part';

/** Notes whose headings are offered when no note was named. */
const recentNotes = 30;

export const headingMentions: MentionSource = {
  id: 'heading',
  trigger: '[[',
  offer: (context, typed) => {
    const asked = readNotePart(context, typed);
    if (asked === null || asked.part.startsWith('^')) return null;
    const { path, part } = asked;
    if (path !== null) return { candidates: headingsOf(context, path), query: part, lines: allLines };
    const recent = newestNotes(context.vault).slice(0, recentNotes);
    const paths = new Set([...(context.activeNote === null ? [] : [context.activeNote]), ...recent.map(idOf)]);
    return { candidates: [...paths].flatMap((one) => headingsOf(context, one)), query: part, lines: usualLines };
  },
};

function idOf({ mention }: MentionCandidate): string {
  return mention.id;
}

/** Headings of the same words in one note are one: a link leads to the first. */
function headingsOf({ vault }: MentionContext, path: string): MentionCandidate[] {
  const texts = new Set(vault.outline(path)?.headings.map(({ text }) => text));
  const note = linkTextOf(vault, path);
  return [...texts].map((text) => ({
    mention: { kind: 'heading', id: `${path}#${text}`, label: `${note}#${linkable(text)}` },
    name: text,
    detail: note,
  }));
}

/** As the app writes a heading in a link: signs that would end or divide the link become spaces. */
function linkable(heading: string): string {
  return heading
    .replace(/[#|^:]|%%|\[\[|\]\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * What the first message of a chat says of the day and of Obsidian's settings, stored as it was sent so that the
 * message never changes (R182, K12).
 */
import * as z from 'zod/v4';

/** Obsidian's own settings for links and notes; each is absent if unknown, or if its folder is hidden. */
export interface AppSettings {
  readonly links?: 'wikilinks' | 'markdown';
  readonly linkPaths?: 'shortest' | 'relative' | 'absolute';
  /**
   * Folders as Obsidian writes them: `/` for the root of the vault, with a leading `./` for a folder relative to the
   * note.
   */
  readonly newNotes?: string;
  readonly attachments?: string;
  readonly templates?: string;
  /** The display names of the plugins that are on, of those that change what a note can contain. */
  readonly plugins?: readonly string[];
}

export interface ChatStart {
  /** Long form in the user's locale. */
  readonly date: string;
  /** Year-month-day. */
  readonly isoDate: string;
  /** The week of the year by ISO 8601. */
  readonly week: number;
  /** Hours and minutes, from 00:00 to 23:59. */
  readonly time: string;
  /** The daily note of this day; absent if daily notes are off, or if the note is hidden. */
  readonly dailyNote?: { readonly path: string; readonly exists: boolean };
  readonly app: AppSettings;
}

/** Stored with the first request of a chat, and with the first one after a summary. */
export interface ChatBegan {
  readonly kind: 'chat-began';
  readonly start: ChatStart;
}

export function chatBeganShape(): z.ZodType {
  const text = z.string();
  return z.looseObject({
    start: z.looseObject({
      date: text,
      isoDate: text,
      week: z.number(),
      time: text,
      dailyNote: z.looseObject({ path: text, exists: z.boolean() }).optional(),
      app: z.looseObject({
        links: z.enum(['wikilinks', 'markdown']).optional(),
        linkPaths: z.enum(['shortest', 'relative', 'absolute']).optional(),
        newNotes: text.optional(),
        attachments: text.optional(),
        templates: text.optional(),
        plugins: z.array(text).optional(),
      }),
    }),
  });
}

/** Headers of what stands between the system prompt and the conversation, and the replies to it; frozen once shipped (R208, R209). */

/** Fixed words, so that the beginning of a request never changes. */
export const headers = {
  REPO_MAP_HEADER:
    '# Vault map\n' +
    'Every file, by folder. After a note: its size, ←how many notes link to it, →how many it links to and which, #tags, ' +
    '{properties}; under it its headings.\n' +
    'The map shows where things stand, not what they say: read a note before you state, quote or change what is in it.',
  FILE_TREE_HEADER: '# Vault files\nWhat lies in the vault, by name:',
  URL_CONTEXT_HEADER: '# Web pages\nThese pages were fetched for the message that follows:',
  FILES_ACTIVE_HEADER: '# Working notes\nHere are the notes:',
  FILES_L0_HEADER: '# Reference notes (stable)\nThese notes are included for reference:',
  FILES_L1_HEADER: '# Reference notes\nThese notes are included for reference:',
  FILES_L2_HEADER: '# Reference notes (continued)\nThese notes are included for reference:',
  FILES_L3_HEADER: '# Reference notes (newer)\nThese notes are included for reference:',
  TIER_SYMBOLS_HEADER: '# Vault map (continued)',
  REVIEW_CONTEXT_HEADER: '# Changes under review',
} as const;

/** What the model is taken to have said to each of them (K16). */
export const replies = {
  ok: 'Ok.',
  pages: 'Ok, I’ve reviewed the URL content.',
  review: 'Ok, I’ve reviewed the code changes.',
} as const;

interface Pair {
  readonly header: string;
  readonly reply: string;
}

/** Sections of the turn that stand as messages of their own before the user's, by their ids (R211, R212, R214). */
export const pairsOfTurn: Readonly<Record<string, Pair>> = {
  files: { header: headers.FILES_ACTIVE_HEADER, reply: replies.ok },
  'url-context': { header: headers.URL_CONTEXT_HEADER, reply: replies.pages },
  'review-context': { header: headers.REVIEW_CONTEXT_HEADER, reply: replies.review },
};

/** How often a section's text changes; it decides where the section stands in a request. */

/** Fixed for the chat, changing with the vault, part of the conversation, or written once with this turn. */
export type Zone = 'instructions' | 'reference' | 'history' | 'turn';

/** Where in a request a block stands: in the system prompt, before the conversation, or around the user's message. */
export type Place = 'system' | 'first-message' | 'before-message' | 'after-message';

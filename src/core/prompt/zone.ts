/** How often a section's text changes; it decides where the section stands in a request. */

/** Fixed for the chat, changing with the vault, part of the conversation, or written once with this turn. */
export type Zone = 'instructions' | 'reference' | 'history' | 'turn';

/**
 * Where in a request a block stands: in the system prompt, in a message of its tier, in the message that opens the
 * conversation, or around the user's message.
 */
export type Place = 'system' | 'reference' | 'first-message' | 'before-message' | 'after-message';

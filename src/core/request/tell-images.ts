/** Words in place of pictures, for models that take none: a request never leaves one out without saying so (R218). */
import type { Message, TextPart, UserMessage } from '../ports/message';

/** Messages without pictures are the same objects. */
export function tellImages(messages: readonly Message[]): readonly Message[] {
  const hasImage = (message: Message): message is UserMessage =>
    message.role === 'user' && message.parts.some(({ type }) => type === 'image');
  return messages.map((message) =>
    hasImage(message)
      ? { role: 'user', parts: message.parts.map(({ text }): TextPart => ({ type: 'text', text })) }
      : message,
  );
}

/** What the user's settings add to every prompt (R108). */
import type { Fact } from '../section';

export const additionalInstructions: Fact<string> = {
  id: 'additional-instructions',
  gather: ({ settings }) => settings.additionalInstructions.trim(),
};

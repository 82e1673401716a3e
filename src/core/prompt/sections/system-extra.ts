/** What the user adds to the system prompt, whichever base it has: the user's own text behind ours (R040, R260). */
import { systemExtra } from '../facts';
import { section } from '../section';

export const systemExtraSection = section({
  id: 'system-extra',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 42,
  priority: 92,
  trim: 'never',
  needs: { extra: systemExtra },
  when: ({ extra }) => extra !== null,
  full: ({ extra }) => (extra === null ? [] : [extra]),
});

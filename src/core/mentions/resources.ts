/** `[[` and `@`: the resources of connected servers; each is read when the message is sent. */
import type { OfferedResource } from '../ports/network';
import { resourceId } from '../session/entry';
import { allLines, findAll, type MentionCandidate, type MentionSource } from './mention-source';

const made = new WeakMap<readonly OfferedResource[], readonly MentionCandidate[]>();

export const resourceMentions: MentionSource = {
  id: 'resource',
  triggers: findAll,
  // What follows a sign names a part of a note.
  offer: ({ resources = [] }, typed) =>
    typed === '' || typed.includes('#') ? null : { candidates: candidatesOf(resources), query: typed, lines: allLines },
};

function candidatesOf(resources: readonly OfferedResource[]): readonly MentionCandidate[] {
  const known = made.get(resources);
  if (known !== undefined) return known;
  const names = resources.map(({ name }) => name);
  const candidates = resources.map((resource): MentionCandidate => {
    const { server, name, uri } = resource;
    const label = names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${uri})`;
    // Brackets would end the mention in the text.
    const plain = label.replace(/[[\]]/g, '');
    return { mention: { kind: 'resource', id: resourceId(resource), label: plain }, detail: server, keywords: uri };
  });
  made.set(resources, candidates);
  return candidates;
}

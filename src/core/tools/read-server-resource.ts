/** read_server_resource: reads a resource of a connected server; the user is asked before its address is sent. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { fail } from '../ports/failure';
import { fullTier, tool } from './tool';

export const readServerResource = tool({
  name: 'read_server_resource',
  agent: 'server resources',
  description: 'Reads a resource of a connected server by its address. Fill in any braces in the address.',
  parameters: () =>
    z.object({
      server: z.string(),
      uri: z.string().max(2_048),
    }),
  effect: 'network',
  needs: 'N',
  fromTier: fullTier,
  offeredWith: (servers) => servers.some(({ resources, templates = [] }) => resources.length + templates.length > 0),
  networkOf: ({ server, uri }, { serverResources }) =>
    serverResources?.findResource(server, uri) ?? fail(unavailable(server)),
  title: ({ server, uri }) => words.servers.resourceTitle(server, uri),
  run: ({ server, uri }, _vault, signal, { serverResources }) =>
    serverResources?.readResource(server, uri, signal) ?? Promise.resolve(fail(unavailable(server))),
});

function unavailable(server: string) {
  return {
    kind: 'not-found',
    words: words.servers.noResources(server),
    remedy: words.servers.noResourcesRemedy,
  } as const;
}

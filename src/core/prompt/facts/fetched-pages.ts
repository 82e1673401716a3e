/** The web pages that were fetched for this message (R211). */
import type { Fact } from '../section';
import type { FetchedPage } from '../turn-data';

export const fetchedPages: Fact<readonly FetchedPage[]> = {
  id: 'fetched-pages',
  gather: (world) => world.turn.fetchedPages,
};

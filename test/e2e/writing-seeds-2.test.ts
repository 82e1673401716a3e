/** Writing whatever the app does: the second half of the seeds. */
import { walkSeeds } from './writing-walk';

jest.setTimeout(180_000);

walkSeeds(1, 2);

/** Writing whatever the app does: the second half of the seeds. */
import { walkSeeds } from '../driver/writing-walk';

jest.setTimeout(400_000);

walkSeeds(1, 2);

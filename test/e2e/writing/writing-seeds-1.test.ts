/** Writing whatever the app does: the first half of the seeds. */
import { walkSeeds } from '../driver/writing-walk';

jest.setTimeout(400_000);

walkSeeds(0, 2);

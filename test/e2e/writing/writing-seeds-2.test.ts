/** Writes while chaos randomizes what Obsidian does not promise: the second half of the seeds. */
import { walkSeeds } from '../driver/writing-walk';

jest.setTimeout(400_000);

walkSeeds(1, 2);

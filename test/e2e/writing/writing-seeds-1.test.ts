/** Writes while chaos randomizes what Obsidian does not promise: the first half of the seeds. */
import { walkSeeds } from '../driver/writing-walk';

jest.setTimeout(400_000);

walkSeeds(0, 2);

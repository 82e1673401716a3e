/** The entry that the startup bench runs: measureBeforeOpen over a folder. */
import { DiskAdapter } from './disk-adapter';

export { measureBeforeOpen } from './before-open';
export const adapterOf = (folder: string): DiskAdapter => new DiskAdapter(folder);

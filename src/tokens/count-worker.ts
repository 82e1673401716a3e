/** The entry of the worker; the build turns it into the code that `workerCode` returns. */
import { serveCounts } from './serve-counts';

serveCounts(self);

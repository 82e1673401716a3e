/** The entry of the worker; the build turns it into the code that `workerCode` gives. */
import { serveCounts } from './serve-counts';

serveCounts(self);

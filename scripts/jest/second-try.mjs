// A walk in a real browser can miss a step on a machine that is busy with other work. `npm test` gives it one second
// try, prints what failed, and counts it in the last lines: a test named there has a fault to fix, in the test or in
// the plugin, and more than three fail the run. Run by hand, a test has one try.
import { jest } from '@jest/globals';

if (process.env.DOCENT_SECOND_TRY === 'yes') jest.retryTimes(1, { logErrorsBeforeRetry: true });

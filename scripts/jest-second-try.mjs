// Tests that wait on a browser, a disk or a timer can miss a step on a machine that is busy with other work. `npm test`
// gives such a test one second try, prints what failed, and counts it in the last lines: a test named there is a fault to
// mend, in the test or in the plugin. Run by hand, a test has one try. What is drawn at random never has two.
import { jest } from '@jest/globals';

if (process.env.DOCENT_SECOND_TRY === 'yes') jest.retryTimes(1, { logErrorsBeforeRetry: true });

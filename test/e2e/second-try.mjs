// A browser on a busy machine can miss a step once. A test that fails gets one second try, and what failed is printed.
// `npm test` counts who needed it: a test named there is a fault to mend, in the test or in the plugin.
import { jest } from '@jest/globals';

jest.retryTimes(1, { logErrorsBeforeRetry: true });

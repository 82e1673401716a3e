// Longer than the waits inside tests, so that a missing event is reported by the wait that can name it, not by the
// timeout; the runner of tests allows three times as long.
import { jest } from '@jest/globals';

jest.setTimeout(20_000);

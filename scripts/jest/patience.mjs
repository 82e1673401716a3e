// Longer than the waits inside tests: what did not come is named by the wait that knows it, not by the clock.
import { jest } from '@jest/globals';

jest.setTimeout(20_000);

import { DeviceFactors } from '../../../src/tokens/open';
import { memoryDevice } from '../../support/memory-ports';

describe('what was learned of a model', () => {
  it('stays on the device, for each model by itself', () => {
    const device = memoryDevice();
    new DeviceFactors(device).learn('a/one', 1_300, 1_000);
    new DeviceFactors(device).learn('a/one', 1_500, 1_000);
    const again = new DeviceFactors(device);
    expect([again.of('a/one'), again.of('a/two')]).toEqual([1.4, 1]);
  });

  it('is not written when a report tells nothing', () => {
    const device = memoryDevice();
    new DeviceFactors(device).learn('a/one', 10, 10);
    expect([...device.values]).toEqual([]);
  });

  it.each(['', 'x', '1.2', '1.2 0', '99 3', '0.1 3', 'NaN 1', '{"value":2}'])(
    'is as nothing when the device holds %j, and learned anew',
    (stored) => {
      const device = memoryDevice(new Map([['token-factor-a/one', stored]]));
      const factors = new DeviceFactors(device);
      expect(factors.of('a/one')).toBe(1);
      factors.learn('a/one', 1_300, 1_000);
      expect(factors.of('a/one')).toBe(1.3);
    },
  );
});

/** DeviceFactors: what was learned of how models count, kept on the device. */
import type { DeviceStorage } from '../core/ports/device';
import { correctFactor, factorBounds, type TokenFactor, type TokenFactors } from '../core/request/token-factor';

export class DeviceFactors implements TokenFactors {
  constructor(private readonly device: DeviceStorage) {}

  of(modelId: string): number {
    return this.read(modelId)?.value ?? 1;
  }

  learn(modelId: string, reported: number, counted: number): void {
    const known = this.read(modelId);
    const corrected = correctFactor(known, reported, counted);
    if (corrected === null || corrected === known) return;
    this.device.set(keyOf(modelId), `${corrected.value} ${corrected.reports}`);
  }

  /** Null for a model that nothing is known of, and for what cannot be read. */
  private read(modelId: string): TokenFactor | null {
    const [value = NaN, reports = NaN] = (this.device.get(keyOf(modelId)) ?? '').split(' ').map(Number);
    const isSound = value >= factorBounds.least && value <= factorBounds.most && reports >= 1;
    return isSound ? { value, reports } : null;
  }
}

function keyOf(modelId: string): string {
  return `token-factor-${modelId}`;
}

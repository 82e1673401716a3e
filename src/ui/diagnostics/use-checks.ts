/** useChecks: what the checks find, looked up again when the vault, the settings or the next request changed. */
import { useEffect, useState } from 'preact/hooks';
import type { CheckPlace, CheckReport, NextChoices } from '../../core/diagnostics/check';
import type { DiagnosticsPorts } from '../state/ports';

/** Milliseconds in which several changes become one look. */
const settleAfter = 150;

/**
 * Null until the first look is over.
 * @param key changes when the choices do
 */
export function useChecks(
  ports: Pick<DiagnosticsPorts, 'check' | 'onChange'>,
  choices: () => NextChoices | null,
  scope: CheckPlace['scope'],
  key: string,
): readonly CheckReport[] | null {
  const [reports, setReports] = useState<readonly CheckReport[] | null>(null);
  useEffect(() => {
    let timer = 0;
    let running = new AbortController();
    const look = async (): Promise<void> => {
      running.abort();
      const own = new AbortController();
      running = own;
      const found = await ports.check(choices(), scope, own.signal);
      if (!own.signal.aborted) setReports(found);
    };
    const schedule = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void look(), settleAfter);
    };
    const release = ports.onChange(schedule);
    schedule();
    return () => {
      release();
      window.clearTimeout(timer);
      running.abort();
    };
  }, [ports, scope, key]);
  return reports;
}

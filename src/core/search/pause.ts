/** Pause: lets long scans give way to the screen and to the stop button, in slices of work rather than of time. */

/** Work units between two pauses: a few milliseconds of indexing or scoring. */
const sliceUnits = 25_000;

/** Lets everything that waits, input and painting included, run first. */
export function giveWay(): Promise<void> {
  if (typeof MessageChannel === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export interface Pace {
  /** Counts work done, about one unit a character read; resolves to false once the scan has to stop. */
  spend(units: number): boolean | Promise<boolean>;
}

export function createPace(signal: AbortSignal): Pace {
  let spent = 0;
  return {
    spend(units) {
      spent += units;
      if (signal.aborted) return false;
      if (spent < sliceUnits) return true;
      spent = 0;
      return giveWay().then(() => !signal.aborted);
    },
  };
}

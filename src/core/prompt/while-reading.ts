/** Work that needs no reading, done while the disk is busy with the reads that were begun beside it. */

/** Steps of the queue of promises that a read takes from a fact to the disk, and some to spare. */
const stepsToDisk = 16;

/** Facts are begun together: one that is worked out from the index alone lets the others ask for their notes first. */
export async function whileReading<Value>(make: () => Value): Promise<Value> {
  for (let step = 0; step < stepsToDisk; step += 1) await Promise.resolve();
  return make();
}

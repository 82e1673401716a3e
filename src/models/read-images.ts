/** Reads the pictures of a request, each once, at the moment that it is encoded: until then they are references. */
import type { ImageReference } from '../core/ports/message';
import type { RequestPlan } from '../core/ports/request-plan';

/** The bytes of a picture; null when its file is gone. */
export type ReadImage = (image: ImageReference) => Promise<Uint8Array | null>;

/** Bytes by digest; pictures that are gone are left out. */
export async function readImages(
  { messages }: RequestPlan,
  read: ReadImage | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = new Map<string, ImageReference>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === 'image') wanted.set(part.image.digest, part.image);
  }
  const found = await Promise.all(
    [...wanted].map(async ([digest, image]) => [digest, (await read?.(image)) ?? null] as const),
  );
  return new Map(found.flatMap(([digest, bytes]) => (bytes === null ? [] : [[digest, bytes] as const])));
}

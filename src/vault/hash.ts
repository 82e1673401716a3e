/** Hashes of contents, and the bytes that are hashed. Nothing here is loaded while Obsidian starts. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Digest } from '../core/ports/device';

// The parts of the bundle call one another by getters, ten times slower than within a part: whoever hashes imports these
// from here, so that SHA-256 and the functions that it calls for every byte are in one part.
export { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

export const digest: Digest = (text) => digestOf(utf8ToBytes(text));

/** Returns the same digest for bytes. */
export function digestOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

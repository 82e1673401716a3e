/** Made by scripts/build/counting-parts.mjs when a bundle is built. */
declare module 'docent:packed-ranks' {
  const ranks: () => import('./unpack-ranks').PackedRanks;
  export default ranks;
}

declare module 'docent:count-worker' {
  const code: () => string;
  export default code;
}

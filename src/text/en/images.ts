/** Words about pictures that go with a message. */

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const count = (number: number): string => number.toLocaleString('en');

export const images = () => ({
  attach: 'Attach an image',
  dropHere: 'Drop to attach',
  pasted: (number: number) => `Pasted image ${number}`,
  preparing: (number: number) =>
    number === 1 ? 'One image is being made ready…' : `${number} images are being made ready…`,
  size: (width: number, height: number) => `${count(width)} × ${count(height)}`,
  tokens: (tokens: string) => `${tokens} tokens`,
  told: 'told in words',
  notTaken: (name: string, model: string) => `${model} takes no images: it is told in words that ${name} is attached.`,
  notSent: (name: string, reason: string) => `${name} is not sent. ${reason}`,

  tooMany: (most: number) => `A message takes ${most} images at most.`,
  tooManyRemedy: 'Send the others with the next message.',
  tooLarge: (name: string, bytes: number, most: number) =>
    `${name} is too large: ${megabytes(bytes)}, and at most ${megabytes(most)} can be attached.`,
  tooManyPixels: (name: string, width: number, height: number) =>
    `${name} has too many pixels: ${count(width)} × ${count(height)}.`,
  smallerRemedy: 'Attach a smaller copy.',
  notAnImage: (name: string) => `${name} is not a PNG, JPEG, GIF or WebP image.`,
  notAnImageRemedy: 'Save it in one of these formats and attach that.',
  unreadable: (name: string) => `${name} cannot be opened as an image.`,
  unreadableRemedy: 'Look at it in another program: it may be damaged.',
  notStored: 'The image could not be kept beside this chat.',
  notStoredRemedy: 'Check that the vault can be written to, then attach it again.',

  putAside: (number: number) =>
    number === 1 ? 'One older image is told in words now.' : `${number} older images are told in words now.`,
});

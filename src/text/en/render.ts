/** Words of drawn answers: links, images and code. */

export const render = () => ({
  copy: 'Copy',
  copyCode: 'Copy code',
  copied: 'Copied',
  copyFailed: 'Could not copy',
  noteMissing: (name: string) => `There is no note “${name}” in this vault.`,
  remoteImage: (host: string, label: string) =>
    label === '' ? `Image from ${host}, not loaded` : `${label} (image from ${host}, not loaded)`,
  imageRefused: 'Image that cannot be shown',
  /** Why an address is not a link. */
  openAddress: 'Open this address?',
  open: 'Open',
  cancel: 'Cancel',
  refused: {
    malformed: 'This is not a complete web address.',
    scheme: 'Only web and mail addresses can be opened.',
    'too-long': 'This address is too long to be opened.',
  },
  /** Why an address is asked about first. */
  confirm: {
    credentials: 'The address carries a user name, which often disguises where it leads.',
    'other-host': 'The words of the link name another site than the one it leads to.',
    disguised: 'The words of the link hold characters that cannot be seen.',
    tainted: 'This conversation has read text of unknown origin, and the address may carry your notes to its host.',
    'unknown-url': 'The address does not stand in anything you wrote, and it may carry text of your notes to its host.',
  },
});

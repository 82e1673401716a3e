/** AttachButton: lets the user choose images of the device; on a phone that is the library or the camera. */
import { useRef } from 'preact/hooks';
import { imageTypesTaken } from '../../core/ports/message';
import { words } from '../../text';
import { IconButton } from '../components/controls';

export function AttachButton({ onChoose }: { readonly onChoose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="image-plus"
        label={words.images.attach}
        onClick={() => input.current?.click()}
        class="docent-attach"
      />
      <input
        ref={input}
        type="file"
        class="docent-attach-files"
        accept={imageTypesTaken.join(',')}
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

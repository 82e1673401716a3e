/** Takes images into the message: dropped, pasted, or chosen. */
import { useRef, useState } from 'preact/hooks';
import { imageTypesTaken } from '../../core/ports/message';
import { words } from '../../text';
import { IconButton } from '../components/controls';
import {
  type DraftImages,
  draggedPaths,
  holdsAddresses,
  holdsFiles,
  imageFilesIn,
  isPictureMeant,
} from '../state/draft';

/** useImageDrop: takes in images and what is dragged out of the vault, dropped on the composer or pasted into it. */
export function useImageDrop(images: DraftImages, onTaken: () => void) {
  const [isOver, setOver] = useState(false);
  const take = (event: Event, transfer: DataTransfer | null): void => {
    const files = imageFilesIn(transfer);
    const added = files.length > 0 ? [] : draggedPaths(transfer).filter((path) => images.addPath(path));
    if (files.length > 0) images.add(files);
    // Dropped text stays text and is inserted where it was dropped.
    else if (added.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onTaken();
  };
  return {
    isOver,
    handlers: {
      onPaste: (event: ClipboardEvent) => {
        if (isPictureMeant(event.clipboardData)) take(event, event.clipboardData);
      },
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event.dataTransfer) && !holdsAddresses(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent & { readonly currentTarget: HTMLElement }) => {
        // Moving onto a child of the same element does not end the drag.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        take(event, event.dataTransfer);
      },
    },
  };
}

/** AttachButton: lets the user choose images from the device; on mobile, from the photo library or the camera. */
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
          // Without this, choosing the same file again would fire no change event.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

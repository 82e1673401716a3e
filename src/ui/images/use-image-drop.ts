/** useImageDrop: takes in the pictures that are dropped on a part of the pane or pasted into it. */
import { useState } from 'preact/hooks';
import { type DraftImages, draggedPath, holdsFiles, imageFilesIn, isPictureMeant } from '../state/draft-images';

export function useImageDrop(images: DraftImages, onTaken: () => void) {
  const [isOver, setOver] = useState(false);
  const take = (event: Event, transfer: DataTransfer | null): void => {
    const files = imageFilesIn(transfer);
    const path = draggedPath(transfer);
    if (files.length > 0) images.add(files);
    // What is dropped as text stays text, and is put where it was dropped.
    else if (path === null || !images.addPath(path)) return;
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
        if (!holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent & { readonly currentTarget: HTMLElement }) => {
        // Leaving for a part of the same element is no leaving.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        take(event, event.dataTransfer);
      },
    },
  };
}

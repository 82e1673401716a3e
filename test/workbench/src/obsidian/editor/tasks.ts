/** Work that listeners of `quit` ask to be waited for. */
export class Tasks {
  private promises: Promise<unknown>[] = [];

  add(callback: () => Promise<unknown>): void {
    this.addPromise(callback());
  }

  addPromise(promise: Promise<unknown>): void {
    this.promises.push(promise);
  }

  isEmpty(): boolean {
    return this.promises.length === 0;
  }

  promise(): Promise<unknown> {
    return Promise.all(this.promises);
  }
}

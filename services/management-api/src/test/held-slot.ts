/** Work that goes on until it is ended, and then answers `done`. `begun` resolves when it is first called. */
export function heldSlot(): { work: () => Promise<string>; begun: Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const work = (): Promise<string> => {
    begin();
    return promise;
  };
  return { work, begun, end: () => resolve('done') };
}

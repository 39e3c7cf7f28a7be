/** Work that runs until `end` is called, and then returns `done`. `begun` resolves when it is first called. */
export function heldSlot(): { work: () => Promise<string>; begun: Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const work = (): Promise<string> => {
    begin();
    return promise;
  };
  return { work, begun, end: () => resolve('done') };
}

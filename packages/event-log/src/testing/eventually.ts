/** Resolves once `isTrue`; asks every 5 ms. @throws after `withinMs`, with the name of what was expected. */
export async function eventually(isTrue: () => boolean | Promise<boolean>, expected: string, withinMs = 15_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${withinMs} ms in vain for ${expected}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Asks until `check` answers without throwing, and gives its answer.
 * @throws the last failure of `check` when the deadline passes.
 */
export async function eventually<T>(check: () => T | Promise<T>, deadlineMs: number): Promise<T> {
  for (const deadline = Date.now() + deadlineMs; ; ) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

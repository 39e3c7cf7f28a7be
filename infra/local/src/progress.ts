const started = Date.now();

/** Prints one line, with the seconds since the launcher started. */
export function say(line: string): void {
  process.stdout.write(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
}

/** Runs a part of the start, and prints how long it took. @throws what `work` throws */
export async function part<T>(name: string, work: () => Promise<T>): Promise<T> {
  const since = Date.now();
  const result = await work();
  say(`${name} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
  return result;
}

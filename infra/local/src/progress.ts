const started = Date.now();

/** One line, with the time since the launcher began. */
export function say(line: string): void {
  process.stdout.write(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
}

/** Does a part of the start and says how long it took. */
export async function part<T>(name: string, work: () => Promise<T>): Promise<T> {
  const since = Date.now();
  const result = await work();
  say(`${name} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
  return result;
}

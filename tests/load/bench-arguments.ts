/** What the bench was asked to do. */
export interface BenchArguments {
  /** Measurements, in the order of the list of those that there are. */
  names: string[];
  json: boolean;
  writeReadme: boolean;
}

/** The command line cannot be understood; the message says what can be. */
export class BenchArgumentError extends Error {
  override name = 'BenchArgumentError';
}

const flags = ['--json', '--write-readme'];

/** Reads the command line: names of measurements (none: all) and flags, in any order. Pure. @throws {BenchArgumentError} */
export function readBenchArguments(given: readonly string[], known: readonly string[]): BenchArguments {
  const strange = given.filter((word) => !known.includes(word) && !flags.includes(word));
  if (strange.length > 0) {
    throw new BenchArgumentError(`Not known: ${strange.join(', ')}. Measurements: ${known.join(', ')}. Flags: ${flags.join(', ')}.`);
  }
  const names = known.filter((name) => given.includes(name));
  return { names: names.length > 0 ? names : [...known], json: given.includes('--json'), writeReadme: given.includes('--write-readme') };
}

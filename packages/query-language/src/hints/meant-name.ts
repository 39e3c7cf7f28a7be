import { editDistance } from '../nearest-name.ts';

const nameLengthMax = 40;

/**
 * Finds the name of `ours` that an unknown one was meant for: `ours` lists the other names of each. Misspellings of our names count too
 * (two letters; one of a short name), and so do other ways to write the words of one together. Pure.
 */
export function meantName(ours: Readonly<Record<string, readonly string[]>>): (given: string) => string | undefined {
  const known = Object.entries(ours).flatMap(([meant, others]) =>
    [meant, ...others].map((name) => ({ name: plain(name), meant, isOurs: name === meant })),
  );
  return (given) => {
    if (given.length > nameLengthMax) return undefined;
    const name = plain(given);
    const found =
      known.find((one) => one.name === name) ??
      known.find((one) => one.isOurs && isMisspelling(name, one.name, one.name.length < 6 ? 1 : 2));
    return found?.meant;
  };
}

/** The name without what separates its words. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

function isMisspelling(name: string, of: string, lettersMax: number): boolean {
  return Math.abs(name.length - of.length) <= lettersMax && editDistance(name, of) <= lettersMax;
}

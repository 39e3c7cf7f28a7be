const namedMax = 20;
const shownLengthMax = 100;

/** The refs of sets in a sentence: the first 20, and how many more. Pure. */
export function nameSome(sets: readonly { ref: string }[]): string {
  const named = sets.slice(0, namedMax).map(({ ref }) => JSON.stringify(ref.slice(0, shownLengthMax)));
  return named.join(', ') + (sets.length > namedMax ? ` and ${sets.length - namedMax} more` : '');
}

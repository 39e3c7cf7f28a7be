/**
 * The least of at most `tries` measurements: a busy machine may make one of them too large, a fault makes all so. None follows one that
 * is below `bound`.
 */
export async function leastOf(tries: number, bound: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < tries && least >= bound; tried += 1) least = Math.min(least, await measure());
  return least;
}

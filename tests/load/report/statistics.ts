/** Middle, least and greatest of some figures, all in the unit of the figures. */
export interface Spread {
  median: number;
  least: number;
  greatest: number;
}

type Figures = readonly number[] | Float64Array;

/**
 * The value below which the share `p` (0 to 1) of the figures lies, between two neighbours in proportion. Pure.
 * @throws {RangeError} for no figures, or a share out of range
 */
export const quantile = (figures: Figures, p: number): number => quantiles(figures, [p])[0] as number;

/** Several of them, sorting once. @throws {RangeError} as `quantile` */
export function quantiles(figures: Figures, shares: readonly number[]): number[] {
  if (figures.length === 0) throw new RangeError('a quantile of no figures');
  // A typed array sorts by value.
  const sorted = Float64Array.from(figures).sort();
  return shares.map((p) => between(sorted, p));
}

function between(sorted: Float64Array, p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a share is between 0 and 1, not ${p}`);
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] as number;
  const high = sorted[Math.ceil(at)] as number;
  return low + (high - low) * (at - below);
}

/** The middle one. @throws {RangeError} for no figures */
export const median = (figures: Figures): number => quantile(figures, 0.5);

/** Middle and both ends. @throws {RangeError} for no figures */
export const spreadOf = (figures: Figures): Spread => ({
  median: median(figures),
  least: quantile(figures, 0),
  greatest: quantile(figures, 1),
});

/** The slope of the line that fits the figures best (least squares), in units of the figures per unit of the places. Pure. @throws {RangeError} for fewer than two places */
export function slopeOf(points: readonly { at: number; value: number }[]): number {
  const middle = (of: (point: { at: number; value: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [at0, value0] = [middle(({ at }) => at), middle(({ value }) => value)];
  const width = points.reduce((sum, { at }) => sum + (at - at0) ** 2, 0);
  if (!(width > 0)) throw new RangeError('a slope needs two places');
  return points.reduce((sum, { at, value }) => sum + (at - at0) * (value - value0), 0) / width;
}

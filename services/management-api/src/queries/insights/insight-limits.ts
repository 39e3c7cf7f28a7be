import { onQuery } from '../definition/variables.ts';

// Limits of a reply (contract/insights 14).

/** Values of a breakdown that are kept apart; the rest is `Other`. */
export const breakdownValuesMax = 10_000;

const numbersMax = 2_000_000;

/** @throws {AppError} 400 on `query`: `series`, each of so many intervals, would hold more than 2,000,000 numbers */
export function refuseNumbers(series: number, intervals: number): void {
  if (series * intervals > numbersMax)
    throw onQuery(
      `The results hold more than ${numbersMax.toLocaleString('en')} numbers: ${series.toLocaleString('en')} series of ${intervals.toLocaleString('en')} intervals. Choose a longer interval, a shorter range or a breakdown with fewer values.`,
    );
}

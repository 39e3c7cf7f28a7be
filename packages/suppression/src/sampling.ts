/** Parts of which a rate is a whole number. */
const parts = 10_000;

/** An event's place among the parts: its uuid as a number, by their number. Pure. */
export function sampleOf(uuid: string): number {
  return Number(BigInt(`0x${uuid.replaceAll('-', '')}`) % BigInt(parts));
}

/** True when a rate drops the event that `sample` gives the place of (contract/orgs-errors 5.2(4)). Pure. */
export function isSampled(rate: number, sample: () => number): boolean {
  return rate >= 1 || (rate > 0 && sample() < Math.floor(rate * parts));
}

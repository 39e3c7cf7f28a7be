/** Lists that an SDK sends the wrong way round: we keep the entry first and the crash last, the outermost exception first. */
export interface SentOrder {
  areFramesTurned: boolean;
  areExceptionsTurned: boolean;
}

type Version = readonly [number, number, number];

/** SDKs by `$lib`, with the first version that sends frames in our order; null: none does yet (contract/decisions 105). */
const framesInOrderSince = new Map<unknown, Version | null>([
  ['posthog-android', [3, 56, 0]],
  ['posthog-server', [2, 9, 0]],
  ['posthog-flutter', [5, 33, 0]],
  ['posthog-php', [4, 11, 0]],
  ['posthog-go', [1, 20, 0]],
  ['posthog-rs', [0, 19, 0]],
  ['posthog-elixir', [2, 13, 0]],
  ['posthog-java', null],
]);
/** The same of the list of exceptions. */
const exceptionsInOrderSince = new Map<unknown, Version | null>([['posthog-python', [7, 31, 0]]]);

/** Order in which an SDK sends. A version that is missing, unreadable or a preview counts as below. Pure. */
export const sentOrder = (lib: unknown, version: unknown): SentOrder => ({
  areFramesTurned: isBelow(framesInOrderSince.get(lib), version),
  areExceptionsTurned: isBelow(exceptionsInOrderSince.get(lib), version),
});

function isBelow(since: Version | null | undefined, version: unknown): boolean {
  if (since === undefined) return false;
  const read = typeof version === 'string' ? /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(-)?/.exec(version) : null;
  if (since === null || read === null) return true;
  const differences = since.map((part, index) => Number(read[index + 1]) - part);
  const first = differences.find((difference) => difference !== 0) ?? 0;
  return first < 0 || (first === 0 && read[4] !== undefined);
}

import { Integer, Object as ObjectType, Optional, String as StringType, Unsafe, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { renderItem, ReviewQueueItem } from './review-queue-item.ts';
import type { StoredItem } from './stored-item.ts';

const [leaseSecondsMax, leaseSecondsDefault] = [86_400, 600];

/** Body of a claim. */
export const ClaimBody = ObjectType(
  {
    lease_seconds: Optional(
      Integer({
        minimum: 1,
        maximum: leaseSecondsMax,
        description: `How long nobody else gets the item; default ${leaseSecondsDefault}.`,
        examples: [leaseSecondsDefault],
      }),
    ),
  },
  { title: 'ReviewQueueItemClaim' },
);

/** A claimed item; nulls: no item was free. */
export const Claim = ObjectType(
  {
    item: Unsafe<Static<typeof ReviewQueueItem> | null>({ anyOf: [ReviewQueueItem, { type: 'null' }] }),
    claimed_until: nullable(StringType({ format: 'date-time' })),
  },
  { title: 'ReviewQueueClaim' },
);

/** Seconds of the lease that a body asks for. Pure. */
export const leaseSecondsOf = ({ lease_seconds: seconds }: Static<typeof ClaimBody>): number =>
  seconds ?? leaseSecondsDefault;

/** Pure. */
export const renderClaim = (item: StoredItem, claimedUntil: Date): Static<typeof Claim> => ({
  item: renderItem(item),
  claimed_until: claimedUntil.toISOString(),
});

// Limits that more than one service enforces. Lengths are in Unicode code points unless the name says bytes.

/** Longest `distinct_id`; longer ones are cut at the edge (spec 8, contract/capture 2.1). */
export const distinctIdLengthMax = 200;

/** Longest one that the consumer takes; longer ones never pass the edge, and no index would hold them (contract/capture 1.9). */
export const distinctIdLengthStored = 400;

/** Longest event name; longer ones are cut by the consumer (contract/capture 1.9). */
export const eventNameLengthMax = 200;

/** Longest `$group_type` and `$group_key` (spec 8). */
export const groupTypeLengthMax = 400;
export const groupKeyLengthMax = 400;

/** Group types of one project: more are ignored (contract/capture 4.5). */
export const groupTypesMax = 5;

/** Longest project token (contract/capture 1.6). */
export const projectTokenLengthMax = 64;

/** Largest single event, as it travels in the log (contract/capture 1.9). */
export const eventBytesMax = 1_000_000;

/** Most events of one request (contract/capture 1.9). */
export const eventsPerRequestMax = 10_000;

/** Deepest nesting of one event; deeper ones are dropped alone (contract/decisions 26). */
export const eventDepthMax = 128;

/** A bundle of the log ends at whichever of the two comes first. */
export const bundleEventsMax = 500;
export const bundleBytesMax = 900_000;

/** Longest wait of the consumer for an insert, in milliseconds; it then gives the insert up. `inserted_at` is the time at which one began. */
export const insertMsMax = 30_000;

/** Milliseconds before the last search from which rows count as new by `inserted_at`: ClickHouse may finish an insert that was given up. */
export const insertMarginMs = 10 * insertMsMax;

/** Least age of a person's override in hours at which the consumer squashes it into events. Then nothing says any more that they changed. */
export const overrideHoursMin = 1;

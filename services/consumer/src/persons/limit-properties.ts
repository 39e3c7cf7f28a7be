import type { JsonObject } from '@millrace/json/exact-json.ts';
import { PersonProperties } from './person.ts';

/** Largest properties of one person, in bytes of JSON; beyond it they are trimmed to `trimmedBytesMax` (contract/capture 4.3). */
export const personBytesMax = 655_360;
export const trimmedBytesMax = 524_288;

/**
 * Most names of one person, or of one group; what has more is treated like what has too many bytes. A name takes four times as much memory
 * as it has letters: a person of 640 KiB in 70,000 names is an object of 3.2 MB, copied with each change.
 */
export const namesMax = 5_000;
const trimmedNamesMax = 4_000;

/** Properties that a trim never takes: who the person is and where they came from. */
const protectedKey =
  /^(email|name|first_name|last_name|username|phone|\$creator_event_uuid|\$initial_.*|utm_.*|\$os|\$browser)$/i;

/** Properties within the limit, and whether they had to be cut or refused. */
export interface Limited {
  properties: PersonProperties;
  verdict: 'fits' | 'trimmed' | 'refused';
}

/** Keeps a person's properties within the limit: trims what is not protected, the largest first; refuses the update when that is not enough. */
export function limitProperties(next: PersonProperties, previous: PersonProperties): Limited {
  if (isWithin(next, personBytesMax, namesMax)) return { properties: next, verdict: 'fits' };
  const trimmed = trim(next.values);
  if (isWithin(trimmed, trimmedBytesMax, trimmedNamesMax)) return { properties: trimmed, verdict: 'trimmed' };
  return { properties: previous, verdict: 'refused' };
}

function trim(values: JsonObject): PersonProperties {
  const sizes = Object.keys(values).map((key) => ({
    key,
    bytes: Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(values[key])) + 2,
  }));
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 2);
  let names = sizes.length;
  const kept = { ...values };
  for (const { key, bytes } of sizes.filter((size) => !protectedKey.test(size.key)).sort((a, b) => b.bytes - a.bytes)) {
    if (total <= trimmedBytesMax && names <= trimmedNamesMax) break;
    delete kept[key];
    total -= bytes;
    names -= 1;
  }
  return new PersonProperties(kept);
}

/** Characters of the shortest possible members: a shorter text cannot have more names. */
const shortestMember = '"":1,'.length;

function isWithin({ text, values }: PersonProperties, bytesMax: number, most: number): boolean {
  const fewNames = text.length <= most * shortestMember || Object.keys(values).length <= most;
  return fewNames && (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax);
}

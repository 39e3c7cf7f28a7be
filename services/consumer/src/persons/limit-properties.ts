import type { JsonObject } from '../json/exact-json.ts';
import { PersonProperties } from './person.ts';

/** Largest properties of one person, in bytes of JSON; beyond it they are trimmed to `trimmedBytesMax` (contract/capture 4.3). */
export const personBytesMax = 655_360;
export const trimmedBytesMax = 524_288;

/** Properties that a trim never takes: who the person is and where they came from. */
const protectedKey = /^(email|name|first_name|last_name|username|phone|\$creator_event_uuid|\$initial_.*|utm_.*|\$os|\$browser)$/i;

/** Properties within the limit, and whether they had to be cut or refused. */
export interface Limited {
  properties: PersonProperties;
  verdict: 'fits' | 'trimmed' | 'refused';
}

/** Keeps a person's properties within the limit: trims what is not protected, the largest first; refuses the update when that is not enough. */
export function limitProperties(next: PersonProperties, previous: PersonProperties): Limited {
  if (isWithin(next.text, personBytesMax)) return { properties: next, verdict: 'fits' };
  const trimmed = trim(next.values);
  if (isWithin(trimmed.text, trimmedBytesMax)) return { properties: trimmed, verdict: 'trimmed' };
  return { properties: previous, verdict: 'refused' };
}

function trim(values: JsonObject): PersonProperties {
  const sizes = Object.keys(values).map((key) => ({
    key,
    bytes: Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(values[key])) + 2,
  }));
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 2);
  const kept = { ...values };
  for (const { key, bytes } of sizes.filter((size) => !protectedKey.test(size.key)).sort((a, b) => b.bytes - a.bytes)) {
    if (total <= trimmedBytesMax) break;
    delete kept[key];
    total -= bytes;
  }
  return new PersonProperties(kept);
}

function isWithin(text: string, bytesMax: number): boolean {
  return text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax;
}

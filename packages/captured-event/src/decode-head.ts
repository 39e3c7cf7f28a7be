import { jsonOf } from '@millrace/json/read-json.ts';
import type { CapturedEvent } from './captured-event.ts';
import { headFault } from './check-head.ts';
import { readUsualHead, type PlacedHead } from './usual-head.ts';

/** The head of an entry; a text when it is none: what is wrong with it. A head as capture prints it is read without being parsed. */
export function decodeHead(place: PlacedHead): CapturedEvent | string {
  const usual = readUsualHead(place);
  if (usual !== null) return usual;
  const head = jsonOf(place.payload.subarray(place.headStart, place.bodyStart));
  const fault = headFault(head);
  return fault ?? (head as CapturedEvent);
}

import { jsonOf } from '@millrace/json/read-json.ts';
import type { CapturedEvent } from './captured-event.ts';
import { headFault } from './check-head.ts';
import { readUsualHead, type HeadRange } from './usual-head.ts';

/** The head of an entry; a text when it is none: what is wrong with it. A head as capture prints it is read without being parsed. */
export function decodeHead(range: HeadRange): CapturedEvent | string {
  const usual = readUsualHead(range);
  if (usual !== null) return usual;
  const head = jsonOf(range.payload.subarray(range.headStart, range.bodyStart));
  const fault = headFault(head);
  return fault ?? (head as CapturedEvent);
}

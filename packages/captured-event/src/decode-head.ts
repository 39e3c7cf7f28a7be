import { jsonOf } from '@millrace/json/read-json.ts';
import type { CapturedEvent } from './captured-event.ts';
import { headError } from './check-head.ts';
import { fastDecodeHead, type HeadRange } from './fast-decode-head.ts';

/** The head of an entry; a text when it is none: what is wrong with it. A head as capture prints it is read without being parsed. */
export function decodeHead(range: HeadRange): CapturedEvent | string {
  const usual = fastDecodeHead(range);
  if (usual !== null) return usual;
  const head = jsonOf(range.payload.subarray(range.headStart, range.bodyStart));
  const error = headError(head);
  return error ?? (head as CapturedEvent);
}

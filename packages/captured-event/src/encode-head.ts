import { quoted } from '@millrace/json/quoted.ts';
import type { CapturedEvent, SharedHead } from './captured-event.ts';

/** The members of a head that are an event's own. `set`, `setOnce` and `unset` are JSON, copied as it came (contract/capture 2.6); null for none. */
export interface OwnHead extends Pick<CapturedEvent, 'uuid' | 'event' | 'distinctId' | 'timestamp'> {
  set?: string | null;
  setOnce?: string | null;
  unset?: string | null;
}

/** The end of a head as JSON text: the members that all events of a request share. Made once a request. */
export function encodeSharedHead({
  token,
  projectId,
  receivedAt,
  sentAt,
  ip,
  historical,
}: Omit<SharedHead, 'personless'>): string {
  const sent = sentAt === undefined ? '' : `,"sentAt":"${sentAt}"`;
  const address = ip === undefined ? '' : `,"ip":${JSON.stringify(ip)}`;
  const lane = historical === true ? ',"historical":true' : '';
  return `"token":${JSON.stringify(token)},"projectId":${projectId},"receivedAt":"${receivedAt}"${sent}${address}${lane}}`;
}

/**
 * A `CapturedEvent` as JSON text, put together by hand: it is written once an event. `shared` is what `encodeSharedHead` made.
 * The order of members is that which `readUsualHead` knows, and learns from here.
 */
export function encodeHead(
  { uuid, event, distinctId, timestamp, set = null, setOnce = null, unset = null }: OwnHead,
  shared: string,
): string {
  let person = '';
  if (set !== null) person += `"set":${set},`;
  if (setOnce !== null) person += `"setOnce":${setOnce},`;
  if (unset !== null) person += `"unset":${unset},`;
  // Written out: with constants in the place of these texts, deciding about an event took 5 % longer.
  return `{"uuid":"${uuid}","event":${quoted(event)},"distinctId":${quoted(distinctId)},"timestamp":"${timestamp}",${person}${shared}`;
}

/** The same head with `personless` in it. */
export function withoutPersons(head: string): string {
  return `${head.slice(0, -1)},"personless":true}`;
}

import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import { senderNetwork } from '@millrace/runtime/bodies/network.ts';
import { forwardedAddresses, isIn, remoteAddress } from './client-address.ts';

/** Proxies write at the end of the header; entries further ahead are not theirs. */
const forwardedLengthMax = 1_000;

/**
 * One sender: an IPv4 address, or the /64 that one subscriber of IPv6 has. Behind trusted proxies it is made of the rightmost
 * entry of `X-Forwarded-For` that is no trusted proxy: a proxy has seen that address, while the entries left of it may be
 * invented, new ones with each request. Empty when the connection is closed.
 */
export function senderOf(request: IncomingMessage, trustedProxies: BlockList | null): string {
  const address = remoteAddress(request);
  if (address === undefined) return '';
  if (trustedProxies === null || !isIn(trustedProxies, address)) return senderNetwork(address);
  const forwarded = request.headers['x-forwarded-for'];
  const entries = forwardedAddresses(typeof forwarded === 'string' ? forwarded.slice(-forwardedLengthMax) : undefined);
  const seen = entries.findLast((entry) => isIP(entry) === 0 || !isIn(trustedProxies, entry));
  return senderNetwork(seen !== undefined && isIP(seen) !== 0 ? seen : address);
}

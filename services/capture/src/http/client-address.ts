import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Thrown for an entry that is neither an address nor a range. */
export class AddressError extends Error {
  override name = 'AddressError';
}

/**
 * Reads addresses and ranges, separated by commas: `10.0.0.0/8, 192.168.1.7, fd00::/8`.
 * @throws {AddressError} naming the entry that is none.
 */
export function parseAddresses(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry !== '') addEntry(list, entry);
  }
  return list;
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const prefix = bits === undefined ? null : Number(bits);
  const fits = prefix === null || (/^\d+$/.test(bits ?? '') && prefix <= (family === 'ipv6' ? 128 : 32));
  if (isIP(address) === 0 || !fits || rest.length > 0) throw new AddressError(entry);
  if (prefix === null) list.addAddress(address, family);
  else list.addSubnet(address, prefix, family);
}

const privateRanges = parseAddresses(
  '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,127.0.0.0/8,169.254.0.0/16,100.64.0.0/10,0.0.0.0/8,::1,fc00::/7,fe80::/10',
);

/** True for an address that is on the list. */
export function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** `::ffff:1.2.3.4` is how a socket for both families shows an IPv4 client. */
function unmapped(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** Some proxies add the client's port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(entry) ?? [];
  return ipv6 ?? ipv4 ?? entry;
}

/** The address that the connection comes from; undefined when it is closed. */
export function remoteAddress({ socket }: IncomingMessage): string | undefined {
  return socket.remoteAddress === undefined ? undefined : unmapped(socket.remoteAddress);
}

/** The addresses of an `X-Forwarded-For`, in order, and any other text between its commas. */
export function forwardedAddresses(header: string | string[] | undefined): string[] {
  return (typeof header === 'string' ? header : '').split(',').map((entry) => unmapped(withoutPort(entry.trim())));
}

/**
 * The client's address: that of the socket; behind a trusted proxy the leftmost public entry of `X-Forwarded-For`
 * (contract/capture 1.12). Anybody can send that header, so it counts from trusted proxies only.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: BlockList | null): string | undefined {
  const address = remoteAddress(request);
  if (address === undefined || trustedProxies === null || !isIn(trustedProxies, address)) return address;
  const entries = forwardedAddresses(request.headers['x-forwarded-for']);
  return entries.find((entry) => isIP(entry) !== 0 && !isIn(privateRanges, entry)) ?? address;
}

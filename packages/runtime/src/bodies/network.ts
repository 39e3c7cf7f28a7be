import { isIPv4 } from 'node:net';

/** One sender: an IPv4 address, or the /64 that one subscriber of IPv6 has. */
export function senderNetwork(address: string): string {
  return networkOf(address, 4, 4);
}

/** The network of a sender, as logs may show it: /24 of IPv4, /48 of IPv6. An address is personal data, such a network is not. */
export function shownNetwork(sender: string): string {
  return sender === '' ? 'unknown' : networkOf(sender.replace('::/64', '::'), 3, 3);
}

/** An IPv4 address cut to `bytes` of its four, an IPv6 address to `groups` of its eight. */
function networkOf(address: string, bytes: number, groups: number): string {
  if (isIPv4(address)) return bytes === 4 ? address : `${address.split('.').slice(0, bytes).join('.')}.0/${8 * bytes}`;
  return `${groupsOf(address).slice(0, groups).join(':')}::/${16 * groups}`;
}

/** The groups of an IPv6 address in front of its `::`, and zeros up to eight. */
function groupsOf(address: string): string[] {
  const [head = '', ...behind] = address.split('::');
  const tail = behind.flatMap((part) => (part === '' ? [] : part.split(':')));
  const front = head === '' ? [] : head.split(':');
  return [...front, ...Array.from({ length: Math.max(0, 8 - front.length - tail.length) }, () => '0'), ...tail];
}

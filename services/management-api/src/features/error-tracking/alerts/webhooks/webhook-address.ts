import { BlockList, isIP } from 'node:net';

const urlLengthMax = 2_000;

/** Networks of this machine and of nobody's neighbours (IANA special-purpose registries), as `address/bits`. */
const privateNetworks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  ...['240.0.0.0/4', '::/8', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32'],
  ...['2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fec0::/10', 'ff00::/8'],
];
/** Neighbours on the cable, and services of clouds that give out credentials: AWS, GCP, Alibaba, Azure, Oracle. */
const linkLocalNetworks = [
  ...['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128', '100.100.100.200/32'],
  ...['168.63.129.16/32', '192.0.0.192/32'],
];

/** True for an address of one of these networks, which an IPv6 address may also name as IPv4 does. */
function createCheck(networks: readonly string[]): (address: string, family: 4 | 6) => boolean {
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = address.includes(':') ? 6 : 4;
    lists[family].addSubnet(address, Number(bits), `ipv${family}`);
  }
  // A list of IPv6 networks takes every IPv4 address for one of ::ffff:0:0/96.
  return (address, family) =>
    lists[4].check(address, `ipv${family}`) || (family === 6 && lists[6].check(address, 'ipv6'));
}
const isPrivate = createCheck(privateNetworks);
const isLinkLocal = createCheck(linkLocalNetworks);

/** True when a webhook may go to this IP address; link-local and metadata addresses never may. IPv4 in IPv6 is judged as IPv4. Pure. */
export function isAllowedAddress(address: string, isPrivateAllowed: boolean): boolean {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const family = isIP(plain);
  if (family !== 4 && family !== 6) return false;
  return !isLinkLocal(plain, family) && (isPrivateAllowed || !isPrivate(plain, family));
}

/** The host of a URL as an IP address; undefined: it is a name. Pure. */
export function literalAddress({ hostname }: URL): string | undefined {
  const plain = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(plain) === 0 ? undefined : plain;
}

/** The reason why no webhook may have this URL, as far as the text shows; undefined: it may. Pure. */
export function urlFault(text: string, isPrivateAllowed: boolean): string | undefined {
  if (text.length > urlLengthMax) return `A URL has at most ${urlLengthMax} characters.`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return 'Write a URL that starts with https:// or http://.';
  if (url.username !== '' || url.password !== '') return 'A user or a password in the URL is not sent: leave it out.';
  const address = literalAddress(url);
  const isLocal =
    address === undefined
      ? /(^|\.)localhost\.?$/.test(url.hostname) && !isPrivateAllowed
      : !isAllowedAddress(address, isPrivateAllowed);
  return isLocal ? refusedAddress : undefined;
}

/** Sentence for whoever set the webhook. */
export const refusedAddress = 'Private, local and link-local addresses are not called.';

import { promises as dns } from 'node:dns';

/** The IP addresses of a host; none: it has none. @throws when the servers of names do not answer */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Without threads of the process, which a slow server of names would hold: others' files wait for them too. */
const options = { timeout: 2_000, tries: 2 };

/**
 * Looks hosts up at the servers of names that this machine uses. `isPrivateAllowed`: names that only this machine knows (`/etc/hosts`, search
 * domains) count too.
 */
export function createResolveHost(isPrivateAllowed: boolean): ResolveHost {
  const resolver = new dns.Resolver(options);
  return async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return addresses;
    if (isPrivateAllowed) return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
    const failure = found.find((one): one is PromiseRejectedResult => one.status === 'rejected');
    if (failure !== undefined && !isAbsent(failure.reason)) throw failure.reason;
    return [];
  };
}

const isAbsent = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as { code?: string }).code ?? '');

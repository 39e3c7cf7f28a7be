import { createHmac, timingSafeEqual } from 'node:crypto';

/** Permission of an upload by form, as it travels in the form's field `policy`. */
interface UploadPolicy {
  key: string;
  bytesMax: number;
  expiresMs: number;
}

/** Permission of the address of one object. */
export type ObjectGrant =
  | { purpose: 'put'; key: string; expiresMs: number; contentLength: number }
  | { purpose: 'get'; key: string; expiresMs: number; contentType: string; fileName: string };

/**
 * Signs what clients may do, and knows its own signatures. Each is over the purpose and all that was allowed, so that none is
 * good for anything else; comparing them takes the same time wherever they differ.
 */
export function createObjectSigner(secret: string) {
  const sign = (parts: readonly (string | number)[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
  const isSigned = (parts: readonly (string | number)[], signature: string): boolean => {
    const wanted = Buffer.from(sign(parts));
    const given = Buffer.from(signature);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  return {
    signPolicy(policy: UploadPolicy): { policy: string; 'x-signature': string } {
      const text = Buffer.from(JSON.stringify(policy)).toString('base64url');
      return { policy: text, 'x-signature': sign(['post', text]) };
    },
    /** Undefined: not signed by us. The caller checks whether it has expired. */
    readPolicy({
      policy = '',
      'x-signature': signature = '',
    }: Readonly<Record<string, string>>): UploadPolicy | undefined {
      if (!isSigned(['post', policy], signature)) return undefined;
      // The signature shows that it is a text of `signPolicy`.
      return JSON.parse(Buffer.from(policy, 'base64url').toString()) as UploadPolicy;
    },
    /** The query of an address. */
    signGrant(grant: ObjectGrant): URLSearchParams {
      const { purpose, key, ...rest } = grant;
      const fields = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
      return new URLSearchParams([...fields, ['signature', sign(partsOf(grant))]]);
    },
    /** Whether the grant was signed with this signature. */
    isGranted: (grant: ObjectGrant, signature: string): boolean => isSigned(partsOf(grant), signature),
  };
}

export type ObjectSigner = ReturnType<typeof createObjectSigner>;

function partsOf(grant: ObjectGrant): (string | number)[] {
  const { purpose, key, expiresMs } = grant;
  return purpose === 'put'
    ? [purpose, key, expiresMs, grant.contentLength]
    : [purpose, key, expiresMs, grant.contentType, grant.fileName];
}

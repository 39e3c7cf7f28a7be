import type { Clock } from '@millrace/runtime/clock.ts';
import type { ObjectSigner } from './object-signatures.ts';
import { requireObjectKey, type ObjectStorage } from './object-storage.ts';

/** Addresses at the service of ours that serves the objects, which knows them by their signatures. */
export function servedAddresses({
  signer,
  clock,
}: {
  signer: ObjectSigner;
  clock: Clock;
}): Pick<ObjectStorage, 'presignPost' | 'presignPut' | 'presignGet'> {
  const expiresMs = (lifetimeSeconds: number): number => clock.nowMs() + lifetimeSeconds * 1000;
  return {
    presignPost(key, { bytesMax, lifetimeSeconds, baseUrl }) {
      const policy = { key: requireObjectKey(key), bytesMax, expiresMs: expiresMs(lifetimeSeconds) };
      return Promise.resolve({ url: `${baseUrl}/objects`, fields: { key, ...signer.signPolicy(policy) } });
    },
    presignPut(key, { contentLength, lifetimeSeconds, baseUrl }) {
      const query = signer.signGrant({
        purpose: 'put',
        key: requireObjectKey(key),
        contentLength,
        expiresMs: expiresMs(lifetimeSeconds),
      });
      return Promise.resolve(`${baseUrl}/objects/${key}?${query.toString()}`);
    },
    presignGet(key, { contentType, fileName, lifetimeSeconds, baseUrl }) {
      const query = signer.signGrant({
        purpose: 'get',
        key: requireObjectKey(key),
        contentType,
        fileName: fileName.toWellFormed(),
        expiresMs: expiresMs(lifetimeSeconds),
      });
      return Promise.resolve(`${baseUrl}/objects/${key}?${query.toString()}`);
    },
  };
}

import { ConfigError } from '@millrace/runtime/config.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createDirectoryStorage, type DirectoryStorage } from './directory-storage.ts';
import { createObjectSigner, type ObjectSigner } from './object-signatures.ts';
import type { ObjectStorage } from './object-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { StorageConfig } from './storage-settings.ts';

/** A directory whose addresses a service of ours must serve, and the signer that knows which of them it gave out. */
export interface ServedDirectory {
  storage: DirectoryStorage;
  signer: ObjectSigner;
}

/**
 * The object storage of the settings; without a bucket and a folder there is none. `served` is set for a folder.
 * @throws {ConfigError} when the folder has no secret for its addresses
 */
export function createStorage(
  config: StorageConfig,
  { clock, logger }: { clock: Clock; logger: Logger },
): { storage?: ObjectStorage; served?: ServedDirectory } {
  if (config.s3.bucket !== '') return { storage: createS3Storage(config.s3, logger) };
  if (config.directory === null) return {};
  if (config.signingSecret === '') throw new ConfigError(['STORAGE_SIGNING_SECRET must be set when STORAGE_DIR is']);
  const signer = createObjectSigner(config.signingSecret);
  const storage = createDirectoryStorage(config.directory, { signer, clock });
  return { storage, served: { storage, signer } };
}

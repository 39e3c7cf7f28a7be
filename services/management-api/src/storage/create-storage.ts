import type { Router } from 'express';
import { ConfigError } from '@millrace/runtime/config.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import { createDirectoryStorage } from './directory-storage.ts';
import { createObjectRoutes } from './object-routes.ts';
import { createObjectSigner } from './object-signatures.ts';
import type { ObjectStorage } from './object-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { StorageConfig } from './storage-settings.ts';

/**
 * The object storage of the settings, with the routes that it needs of this service; without a bucket and a folder there is none.
 * @throws {ConfigError} when the folder has no secret for its addresses
 */
export function createStorage(config: StorageConfig, { clock, logger }: { clock: Clock; logger: Logger }): { storage?: ObjectStorage; routes?: Router } {
  if (config.s3.bucket !== '') return { storage: createS3Storage(config.s3, logger) };
  if (config.directory === null) return {};
  if (config.signingSecret === '') throw new ConfigError(['STORAGE_SIGNING_SECRET must be set when STORAGE_DIR is']);
  const signer = createObjectSigner(config.signingSecret);
  const storage = createDirectoryStorage(config.directory, { signer, clock });
  return { storage, routes: createObjectRoutes({ storage, signer, clock }) };
}

import { ConfigError } from '@millrace/runtime/config.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createDirectoryFiles, createDirectoryStorage } from './directory-storage.ts';
import { createObjectSigner, type ObjectSigner } from './object-signatures.ts';
import type { ObjectFiles, ObjectStorage } from './object-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import { servedAddresses } from './served-addresses.ts';
import type { FilesConfig, StorageConfig } from './storage-settings.ts';

/** A storage whose addresses a service of ours must serve, and the signer that knows which of them it gave out. */
export interface ServedObjects {
  storage: ObjectStorage;
  signer: ObjectSigner;
}

/**
 * The object storage of the settings; without a bucket and a folder there is none. `served` is set for a folder, and for a bucket of which
 * no address is known that clients reach (contract/decisions 115).
 * @throws {ConfigError} when addresses are to be served and there is no secret for them
 */
export function createStorage(
  config: StorageConfig,
  { clock, logger }: { clock: Clock; logger: Logger },
): { storage?: ObjectStorage; served?: ServedObjects } {
  const { s3, directory } = config;
  if (s3.bucket !== '') {
    const storage = createS3Storage(s3, logger);
    if (s3.endpoint === '' || s3.publicEndpoint !== '') return { storage };
    const signer = signerOf(
      config,
      'STORAGE_SIGNING_SECRET or STORAGE_S3_PUBLIC_ENDPOINT must be set when STORAGE_S3_ENDPOINT is',
    );
    return served({ ...storage, ...servedAddresses({ signer, clock }) }, signer);
  }
  if (directory === null) return {};
  const signer = signerOf(config, 'STORAGE_SIGNING_SECRET must be set when STORAGE_DIR is');
  return served(createDirectoryStorage(directory, { signer, clock, logger }), signer);
}

/** The objects of the settings, for a service that hands out no addresses; undefined: there is no storage. */
export function openFiles(
  { s3, directory }: FilesConfig,
  { clock, logger }: { clock: Clock; logger: Logger },
): ObjectFiles | undefined {
  if (s3.bucket !== '') return createS3Storage(s3, logger);
  return directory === null ? undefined : createDirectoryFiles(directory, { clock, logger });
}

const served = (storage: ObjectStorage, signer: ObjectSigner) => ({ storage, served: { storage, signer } });

function signerOf({ signingSecret }: StorageConfig, whenMissing: string): ObjectSigner {
  if (signingSecret === '') throw new ConfigError([whenMissing]);
  return createObjectSigner(signingSecret);
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A script of posthog-js as it is sent. */
interface SdkFile {
  plain: Buffer;
  gzipped: Buffer;
  /** A hash of its bytes, in quotes, as `ETag` has it. */
  tag: string;
}

/** The scripts of the installed posthog-js: the SDK itself (`array.js`) and what it loads later (`surveys.js`, …). */
export interface SdkFiles {
  /** The version of the package. */
  version: string;
  /**
   * The script of that name; undefined when the package has none. Each is read and compressed once.
   * @throws when its file can no longer be read
   */
  read(name: string): Promise<SdkFile> | undefined;
}

const gzipped = promisify(gzip);

/** @throws when the package is not installed */
export function openSdkFiles(): SdkFiles {
  const packageFile = createRequire(import.meta.url).resolve('posthog-js/package.json');
  const folder = join(dirname(packageFile), 'dist');
  const names = new Set(readdirSync(folder).filter((name) => /^[\w.-]+\.js$/.test(name)));
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const files = new Map<string, Promise<SdkFile>>();

  async function load(name: string): Promise<SdkFile> {
    const plain = await readFile(join(folder, name));
    const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    return { plain, gzipped: await gzipped(plain), tag };
  }

  return {
    version,
    read(name) {
      if (!names.has(name)) return undefined;
      const file = files.get(name) ?? load(name);
      files.set(name, file);
      // Tried again at the next request.
      file.catch(() => files.delete(name));
      return file;
    },
  };
}

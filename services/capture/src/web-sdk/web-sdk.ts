import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientConfig } from '../sdk-stubs/client-config.ts';
import { sendError } from '../http/replies.ts';
import { isTokenLike } from '../http/request-token.ts';
import type { Route } from '../http/route.ts';
import { sendScript } from '../http/send-script.ts';
import { splitUrl } from '../http/split-url.ts';
import * as operations from '../reference/web-sdk-operations.ts';
import type { SdkFiles } from './sdk-files.ts';

const forever = 'public, max-age=31536000, immutable';
/** Web sites get a newer SDK within this time. */
const shortly = 'public, max-age=300';

/**
 * The SDK for web sites, for the HTML snippet that loads it from the host that takes the events: `/static/array.js`,
 * what that loads later, under the names that it requests, and its settings as a script (contract/capture 1.2).
 */
export function createWebSdk(files: SdkFiles): Route[] {
  async function sendFile(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, rawQuery } = splitUrl(request.url);
    const [name = '', version] = path.split('/').filter(Boolean).slice(1).reverse();
    const requested = version ?? new URLSearchParams(rawQuery ?? '').get('v');
    // Scripts of another version are not served: code of two versions does not fit together.
    const file = version === undefined || version === files.version ? files.read(name.toLowerCase()) : undefined;
    if (file === undefined) return void sendError(response, 'notFound');
    sendScript(response, await file, requested === files.version ? forever : shortly);
  }

  const sdkFile = operations.sdkFile(files.version);
  return [
    {
      methods: ['GET', 'HEAD'],
      access: 'public',
      path: '/static/:file',
      operation: sdkFile,
      handle: sendFile,
    },
    {
      methods: ['GET', 'HEAD'],
      access: 'public',
      path: '/static/:version/:file',
      operation: sdkFile,
      handle: sendFile,
    },
    {
      methods: ['GET', 'HEAD'],
      access: 'public',
      path: '/array/:token/config.js',
      operation: operations.configScript,
      handle: sendConfig,
    },
  ];
}

function sendConfig(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = /^\/array\/([^/?]+)\/config\.js/i.exec(request.url ?? '')?.[1] ?? '';
  if (isTokenLike(token)) sendScript(response, { plain: configScript(token) }, shortly);
  else sendError(response, 'notFound');
  return Promise.resolve();
}

// The SDK looks for its settings in this variable of the page, by its token.
function configScript(token: string): Buffer {
  const settings = JSON.stringify({ config: clientConfig(token), siteApps: [] });
  const all = 'window._POSTHOG_REMOTE_CONFIG';
  return Buffer.from(`(${all} = ${all} || {})[${JSON.stringify(token)}] = ${settings};\n`);
}

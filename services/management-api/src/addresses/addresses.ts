import { openApiDocument } from '@millrace/http/openapi.ts';
import { release } from '@millrace/runtime/release.ts';
import { withoutEnd } from '@millrace/runtime/without-end.ts';
import { createBaseUrl } from './base-url.ts';
import type { Config } from '../config.ts';
import { createReference } from '../features/schema/reference-files.ts';
import { tags } from '../features/schema/tags.ts';
import { routes, type AllParts } from '../routes.ts';
import { describeUnknownAddress } from './unknown-address.ts';

const apiInfo = {
  title: 'Millrace management API',
  version: release,
  description: `Saved queries over your events. Every call carries a personal API key: \`Authorization: Bearer phx_…\`.

To try it out here, press *Authorize* and paste a key of yours. \`@current\` in a path is the project or the organization that is
current for you. Other ids in the examples are made up: put yours in their place.`,
};

/** The parts that say where the service is reached, and the documents that name its address. */
export function createAddresses(config: Config): Pick<AllParts, 'baseUrl' | 'apiDocument' | 'reference'> {
  const baseUrl = createBaseUrl(config.publicUrl);
  // Written once: anybody may request it, and to write its 270 kB takes as long as ten other calls.
  const { servers: _none, ...document } = openApiDocument(routes, apiInfo, '', tags);
  const common = Buffer.from(JSON.stringify(document).slice(0, -1));
  const reference = createReference(captureUrlOf(config));
  return {
    baseUrl,
    reference,
    apiDocument: (request) => [common, Buffer.from(`,"servers":${JSON.stringify([{ url: baseUrl(request) }])}}`)],
  };
}

/** Describes addresses that no route has, by the routes and the address of capture. */
export function createDescribeUnknown(config: Config): (method: string, path: string) => string {
  const known = { captureUrl: captureUrlOf(config), paths: routes.map(({ path }) => path) };
  return (method, path) => describeUnknownAddress(known, method, path);
}

const captureUrlOf = ({ captureUrl }: Config): string | null =>
  captureUrl === '' ? null : withoutEnd(captureUrl, '/');

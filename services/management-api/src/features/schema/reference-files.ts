import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface ReferenceFile {
  contentType: string;
  bytes: Uint8Array;
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Millrace API</title>
    <link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The same as a document: <a href="/api/schema">/api/schema</a></noscript>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/assets/reference.js"></script>
  </body>
</html>
`;

/** Script of a page with both APIs and a choice at the top; `captureUrl` null: this API only. */
const script = (captureUrl: string | null): string => `SwaggerUIBundle({
  urls: ${JSON.stringify([{ url: '/api/schema', name: 'Management API' }, ...(captureUrl === null ? [] : [{ url: `${captureUrl}/openapi.json`, name: 'Capture' }])])},
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;

/** The files of the library that the page needs; nothing else of it is served. */
const libraryFiles: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Names of all files below `/docs/assets/`. */
export const referenceFileNames = ['reference.js', ...Object.keys(libraryFiles)];

const library = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

export interface Reference {
  page: ReferenceFile;
  /** One file of the page, read once; undefined for names that it does not need. */
  file(name: string): ReferenceFile | undefined;
  headers: Readonly<Record<string, string>>;
}

/**
 * The reference page of this API and of capture. The browser gets capture's document from `captureUrl`; null: the address is not set.
 * The page loads nothing else from other hosts and cannot be framed. The library styles its parts inline.
 */
export function createReference(captureUrl: string | null): Reference {
  const connections = ["'self'", ...(captureUrl === null ? [] : [new URL(captureUrl).origin])].join(' ');
  const read = new Map<string, ReferenceFile>([
    ['reference.js', { contentType: 'text/javascript; charset=utf-8', bytes: Buffer.from(script(captureUrl)) }],
  ]);
  return {
    page: { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(page) },
    file(name) {
      const known = read.get(name);
      const contentType = Object.hasOwn(libraryFiles, name) ? libraryFiles[name] : undefined;
      if (known !== undefined || contentType === undefined) return known;
      const file = { contentType, bytes: readFileSync(join(library, name)) };
      read.set(name, file);
      return file;
    },
    headers: {
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src ${connections}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  };
}

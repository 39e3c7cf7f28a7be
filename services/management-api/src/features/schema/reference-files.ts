import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface ReferenceFile {
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
    <script src="/docs/assets/reference.js"></script>
  </body>
</html>
`;

const script = `SwaggerUIBundle({
  url: '/api/schema',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** The page loads nothing from other hosts and lets nobody frame it. The library styles its parts inline. */
export const referenceHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The reference page itself. */
export const referencePage: ReferenceFile = { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(page) };

const ownFiles: Record<string, ReferenceFile> = {
  'reference.js': { contentType: 'text/javascript; charset=utf-8', bytes: Buffer.from(script) },
};

/** The files of the library that the page needs; nothing else of it is served. */
const libraryFiles: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Names of all files below `/docs/assets/`. */
export const referenceFileNames = [...Object.keys(ownFiles), ...Object.keys(libraryFiles)];

const library = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const read = new Map<string, ReferenceFile>();

/** One file of the page, read once; undefined for names that it does not need. */
export function referenceFile(name: string): ReferenceFile | undefined {
  const known = Object.hasOwn(ownFiles, name) ? ownFiles[name] : read.get(name);
  if (known !== undefined) return known;
  const contentType = Object.hasOwn(libraryFiles, name) ? libraryFiles[name] : undefined;
  if (contentType === undefined) return undefined;
  const file = { contentType, bytes: readFileSync(join(library, name)) };
  read.set(name, file);
  return file;
}

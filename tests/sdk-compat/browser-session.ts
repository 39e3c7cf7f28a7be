import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** The part of posthog-js that tests use, the same in every version. */
interface BrowserSdk {
  capture(event: string, properties?: Record<string, unknown>, options?: Record<string, unknown>): void;
  identify(distinctId: string, properties?: Record<string, unknown>): void;
  group(type: string, key: string, properties?: Record<string, unknown>): void;
  register(properties: Record<string, unknown>): void;
}

declare global {
  // Name of the SDK in a page.
  var posthog: BrowserSdk;
}

/** A page of a web shop with the SDK of the package in it, from a host that is not capture's. */
export interface BrowserSession {
  page: Page;
  /** Errors of the page: exceptions, and errors of its console. */
  faults: readonly string[];
  /** Addresses at capture's host that the page requested, with the status of the reply. */
  requested: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** The SDK takes a browser that calls itself headless for a robot, and sends nothing. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

const sdkFile = (packageName: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), 'dist/array.js');

/** The snippet that the makers give people to paste, without its list of methods: it is the SDK that reads `_i`. */
const pageOf = (token: string, options: Record<string, unknown>): string => `<!doctype html>
<html><head><title>Shop</title><link rel="icon" href="data:,"><script>
  window.posthog = [];
  posthog._i = [[${JSON.stringify(token)}, ${JSON.stringify(options)}, 'posthog']];
  posthog.__SV = 1;
</script><script src="/array.js"></script></head><body><h1>Shop</h1><button>Buy</button></body></html>`;

/** A page of another host with the SDK of the package in it, and the address of capture. */
export function openSession(
  browser: Browser,
  packageName: string,
  token: string,
  captureUrl: string,
  options: Record<string, unknown>,
): Promise<BrowserSession> {
  return openPage(browser, captureUrl, (url) =>
    url === '/array.js'
      ? { type: 'text/javascript', text: readFileSync(sdkFile(packageName), 'utf8') }
      : { type: 'text/html', text: pageOf(token, { ...options, api_host: captureUrl }) },
  );
}

/** A page of a host that is not capture's and answers as `serve` says. */
export async function openPage(
  browser: Browser,
  captureUrl: string,
  serve: (url: string) => { type: string; text: string },
): Promise<BrowserSession> {
  const server = createServer(({ url = '/' }, response) => {
    const { type, text } = serve(url);
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  const faults = recordFaults(page);
  const requested = new Map<string, number>();
  page.on('response', (response) => {
    if (response.url().startsWith(captureUrl)) requested.set(new URL(response.url()).pathname, response.status());
  });
  // By another name than capture's, as in life: every request crosses origins.
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  return {
    page,
    faults,
    requested,
    async close() {
      await context.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Errors of the page from now on: exceptions, and red lines of its console. */
export function recordFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} (${message.location().url})`);
  });
  return faults;
}

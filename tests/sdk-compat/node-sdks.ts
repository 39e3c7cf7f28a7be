import { PostHog as PostHogLite } from 'posthog-js-lite';
import { PostHog } from 'posthog-node';
import { PostHog as PostHog3 } from 'posthog-node-3';
import { PostHog as PostHog4 } from 'posthog-node-4';

interface NodeEvent {
  distinctId: string;
  event: string;
  properties: Record<string, unknown>;
  groups?: Record<string, string>;
}

/** An SDK for Node, one way for all versions. */
export interface NodeSdk {
  /** Its name in `$lib`. */
  lib: string;
  capture(event: NodeEvent): void | Promise<void>;
  identify(person: { distinctId: string; properties: Record<string, unknown> }): void | Promise<void>;
  alias(names: { distinctId: string; alias: string }): void | Promise<void>;
  groupIdentify(group: {
    groupType: string;
    groupKey: string;
    properties: Record<string, unknown>;
    distinctId: string;
  }): void | Promise<void>;
  /** Sends what it still has. */
  end(): Promise<void>;
}

/** An SDK in one of its modes. */
export interface NodeSdkMode {
  name: string;
  /** Where it sends events, and how they are packed. */
  path: string;
  encoding: 'gzip' | undefined;
  open: (token: string, host: string) => NodeSdk;
}

// So that the tests take seconds; the times are the SDKs' own settings.
const quick = { flushAt: 20, flushInterval: 500, fetchRetryCount: 8, fetchRetryDelay: 100, requestTimeout: 1_000 };
const lib = 'posthog-node';
const endMsMax = 20_000;

type Options = ConstructorParameters<typeof PostHog>[1];

function newest(token: string, host: string, options: Options = {}): NodeSdk & { sdk: PostHog } {
  const sdk = new PostHog(token, { host, ...quick, ...options });
  return {
    sdk,
    lib,
    capture: (event) => sdk.capture(event),
    identify: (person) => sdk.identify(person),
    alias: (names) => sdk.alias(names),
    groupIdentify: (group) => sdk.groupIdentify(group),
    end: () => sdk.shutdown(endMsMax),
  };
}

/** One request for each event: it waits for each answer. */
function immediate(token: string, host: string): NodeSdk {
  const { sdk, ...others } = newest(token, host);
  return {
    ...others,
    capture: (event) => sdk.captureImmediate(event),
    identify: (person) => sdk.identifyImmediate(person),
    alias: (names) => sdk.aliasImmediate(names),
  };
}

/** It reads its protocol from the environment alone. */
function v1(token: string, host: string): NodeSdk {
  process.env['POSTHOG_CAPTURE_MODE'] = 'v1';
  try {
    return newest(token, host);
  } finally {
    delete process.env['POSTHOG_CAPTURE_MODE'];
  }
}

function major4(token: string, host: string): NodeSdk {
  const sdk = new PostHog4(token, { host, ...quick });
  return { ...methodsOf(sdk), end: () => sdk.shutdown(endMsMax) };
}

function major3(token: string, host: string): NodeSdk {
  const sdk = new PostHog3(token, { host, ...quick });
  return { ...methodsOf(sdk), end: () => sdk.shutdownAsync() };
}

function methodsOf(sdk: PostHog3 | PostHog4): Omit<NodeSdk, 'end'> {
  return {
    lib,
    capture: (event) => sdk.capture(event),
    identify: (person) => sdk.identify(person),
    alias: (names) => sdk.alias(names),
    groupIdentify: (group) => sdk.groupIdentify(group),
  };
}

/** The small SDK for browsers; in Node it keeps nothing on disk. */
export const liteSdk = (token: string, host: string): PostHogLite =>
  new PostHogLite(token, { host, ...quick, persistence: 'memory' });

/** The newest version first. */
export const nodeSdks: readonly NodeSdkMode[] = [
  { name: 'posthog-node 5', path: '/batch/', encoding: 'gzip', open: newest },
  {
    name: 'posthog-node 5, disableCompression',
    path: '/batch/',
    encoding: undefined,
    open: (token, host) => newest(token, host, { disableCompression: true }),
  },
  { name: 'posthog-node 5, captureImmediate', path: '/batch/', encoding: 'gzip', open: immediate },
  {
    name: 'posthog-node 5, historicalMigration',
    path: '/batch/',
    encoding: 'gzip',
    open: (token, host) => newest(token, host, { historicalMigration: true }),
  },
  { name: 'posthog-node 5, POSTHOG_CAPTURE_MODE=v1', path: '/i/v1/analytics/events', encoding: 'gzip', open: v1 },
  { name: 'posthog-node 4', path: '/batch/', encoding: undefined, open: major4 },
  { name: 'posthog-node 3', path: '/batch/', encoding: undefined, open: major3 },
];

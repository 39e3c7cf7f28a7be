import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { flagsBytesMax, flagsInflatedBytesMax } from '../http/body-limits.ts';
import { decodeBody } from '../http/decode-body.ts';
import type { Decode } from '../http/read-body.ts';
import { HeldBytes, readDecoded, type BodyDeps } from '../http/read-decoded.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { scanBody } from '../body/scan-body.ts';
import { isTokenLike } from '../http/request-token.ts';
import { replyToFailure, type FailureDeps } from '../http/failure-reply.ts';
import { sendJson, sendError } from '../http/replies.ts';
import { RequestError } from '../http/request-error.ts';
import { splitUrl } from '../http/split-url.ts';
import { clientConfig } from './client-config.ts';
import type { Handle, Route } from '../http/route.ts';
import * as operations from '../reference/stub-operations.ts';

const requestDepthMax = 1_000;

/** Content of a request for flags: its token (null: none), and whether it wants the configuration too. */
interface StubRequest {
  token: string | null;
  withConfig: boolean;
}

const noFlags = { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false };

function flags({ token, withConfig }: StubRequest): Record<string, unknown> {
  return { ...(withConfig && clientConfig(token)), flags: {}, ...noFlags, requestId: randomUUID() };
}

function decide({ token }: Pick<StubRequest, 'token'>): Record<string, unknown> {
  return { ...clientConfig(token), ...noFlags };
}

const tokenOfExample = 'phc_…';
const idOfExample = '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d';

/** Replies that never change: there is nothing of the kind here. */
const constants: Readonly<Record<string, unknown>> = {
  '/api/surveys': { surveys: [] },
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/web_experiments': { experiments: [] },
  '/api/product_tours': { product_tours: [] },
  '/flags/definitions': { flags: [], group_type_mapping: {}, cohorts: {} },
  '/api/feature_flag/local_evaluation': { flags: [], group_type_mapping: {}, cohorts: {} },
};

/**
 * Routes that SDKs request beside sending events, with the smallest replies that keep them quiet (contract/capture
 * 1.2).
 */
export function createSdkStubs(deps: BodyDeps & FailureDeps): Route[] {
  const fromRequest = (valueOf: (stubRequest: StubRequest) => unknown): Handle => createStub(deps, valueOf);
  return [
    {
      methods: ['GET', 'HEAD'],
      access: 'public',
      path: '/array/:token/config',
      operation: operations.clientConfig(clientConfig(tokenOfExample)),
      handle: sendClientConfig,
    },
    {
      methods: ['GET', 'HEAD', 'POST'],
      access: 'public',
      path: '/flags',
      operation: operations.flags({ ...flags({ token: null, withConfig: false }), requestId: idOfExample }),
      handle: fromRequest(flags),
    },
    {
      methods: ['GET', 'HEAD', 'POST'],
      access: 'public',
      path: '/decide',
      operation: operations.decide(decide({ token: tokenOfExample })),
      handle: fromRequest(decide),
    },
    ...Object.entries(constants).map(([path, value]): Route => ({
      methods: ['GET', 'HEAD'],
      access: 'public',
      path,
      operation: operations.constant(value),
      handle: constantReply(value),
    })),
  ];
}

function constantReply(value: unknown): Handle {
  return (_request, response) => Promise.resolve(void sendJson(response, 200, value));
}

function sendClientConfig(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = /^\/array\/([^/?]+)\/config/.exec(request.url ?? '')?.[1] ?? '';
  if (isTokenLike(token)) sendJson(response, 200, clientConfig(token));
  else sendError(response, 'notFound');
  return Promise.resolve();
}

function createStub(deps: BodyDeps & FailureDeps, valueOf: (stubRequest: StubRequest) => unknown): Handle {
  return async (request, response) => {
    try {
      const value = valueOf(await readStubRequest(deps, request));
      sendJson(response, 200, value);
    } catch (error) {
      replyToFailure(deps, response, error);
    }
  };
}

/**
 * Bodies come in all the forms that events come in. One that cannot be read gets the same reply: there are no flags.
 */
async function readStubRequest(deps: BodyDeps, request: IncomingMessage): Promise<StubRequest> {
  const { rawQuery } = splitUrl(request.url);
  const withConfig = new URLSearchParams(rawQuery ?? '').get('config') === 'true';
  const decode: Decode = (wire, sender) =>
    decodeBody(wire, request.headers, rawQuery, { inflatedBytesMax: flagsInflatedBytesMax, sender });
  const held = new HeldBytes(deps.counters);
  try {
    return { token: tokenIn(await readDecoded(deps, request, held, flagsBytesMax, decode)), withConfig };
  } catch (error) {
    if (error instanceof RequestError && error.isUnreadable()) return { token: null, withConfig };
    throw error;
  } finally {
    held.release();
  }
}

/** Parses only the token, because the rest of such a body is not used. */
function tokenIn(json: Buffer): string | null {
  if (!isUtf8(json)) return null;
  const { value, complete } = scanBody(json, requestDepthMax, 0);
  if (!complete || !isJsonObject(value)) return null;
  const token = value['token'] ?? value['api_key'];
  return typeof token === 'string' && isTokenLike(token) ? token : null;
}

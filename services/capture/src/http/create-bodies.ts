import type { BlockList } from 'node:net';
import {
  createArrivingBodies,
  type ArrivingBodies,
  type BytesInFlight,
} from '@millrace/runtime/bodies/arriving-bodies.ts';
import { createShortages } from '@millrace/runtime/bodies/shortages.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { senderOf } from './sender.ts';
import { createBodyReader, type BodyReader } from './read-body.ts';

interface BodyLimits {
  /** Largest body as sent. */
  bodyBytesMax: number;
  bodyIdleMsMax: number;
  bodyTotalMsMax: number;
  bodyBytesPerSecondMin: number;
  bodyRateMs: number;
  bytesInFlightMax: number;
  senderBytesMax: number;
  trustedProxies: BlockList | null;
}

/** Creates the reader of bodies and the watch over bodies that are still arriving; `held` counts their bytes. */
export function createBodies(
  config: BodyLimits,
  held: BytesInFlight,
  logger: Logger,
): { bodies: ArrivingBodies; reader: BodyReader } {
  const shortages = createShortages(logger);
  const bodies = createArrivingBodies(
    {
      idleMsMax: config.bodyIdleMsMax,
      totalMsMax: config.bodyTotalMsMax,
      bytesPerSecondMin: config.bodyBytesPerSecondMin,
      rateMs: config.bodyRateMs,
      bytesInFlightMax: config.bytesInFlightMax,
      senderBytesMax: config.senderBytesMax,
    },
    held,
    (shortage) => shortages.report(shortage),
  );
  const reader = createBodyReader(bodies, {
    bodyBytesMax: config.bodyBytesMax,
    senderOf: (request) => senderOf(request, config.trustedProxies),
  });
  return { bodies, reader };
}

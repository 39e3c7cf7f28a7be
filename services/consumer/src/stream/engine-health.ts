import type { HealthCheck } from '@millrace/runtime/operations/health.ts';
import type { EngineName } from './retry.ts';

/** The last error of each engine that a stream waits for. */
export interface EngineHealth {
  report(stream: string, engine: EngineName, error: Error | null): void;
  /** The stream is gone, and its errors with it. */
  forget(stream: string): void;
  /** The last error of the engine that a stream still waits for. */
  check(engine: EngineName): HealthCheck;
}

/** Readiness with a reason: an engine is unhealthy while any stream waits for it. */
export function createEngineHealth(): EngineHealth {
  const waiting = new Map<EngineName, Map<string, string>>();
  return {
    report(stream, engine, error) {
      const streams = waiting.get(engine) ?? new Map<string, string>();
      waiting.set(engine, streams);
      if (error === null) streams.delete(stream);
      else streams.set(stream, error.message);
    },
    forget(stream) {
      for (const streams of waiting.values()) streams.delete(stream);
    },
    check: (engine) => () => waiting.get(engine)?.values().next().value ?? null,
  };
}

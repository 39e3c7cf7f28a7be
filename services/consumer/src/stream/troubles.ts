import type { HealthCheck } from '@millrace/runtime/health.ts';
import type { EngineName } from './retry.ts';

/** What the streams are waiting for, by engine. */
export interface Troubles {
  note(stream: string, engine: EngineName, error: Error | null): void;
  /** The stream is gone, and its troubles with it. */
  forget(stream: string): void;
  /** The last thing that a stream heard of an engine that it still waits for. */
  check(engine: EngineName): HealthCheck;
}

/** Readiness that says why: an engine is in trouble while any stream waits for it. */
export function createTroubles(): Troubles {
  const waiting = new Map<EngineName, Map<string, string>>();
  return {
    note(stream, engine, error) {
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

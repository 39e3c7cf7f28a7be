import { hideSecrets } from '../logs/hide-secrets.ts';
import { withTimeout } from '../with-timeout.ts';

/**
 * A check that has not returned by then, in milliseconds, has failed: a request for readiness waits a second at most,
 * as Kubernetes does.
 */
const checkMsMax = 800;

/** Returns the reason why something is unhealthy, or null. Must be cheap: it runs every second. */
export type HealthCheck = () => string | null | Promise<string | null>;

export interface Health {
  /** Adds a check that must pass before the service takes work. */
  check(name: string, check: HealthCheck): void;
  /** From now on the service is not ready: it drains (first step of every stop). */
  drain(): void;
  /** Reasons why it is not ready, by name; empty means ready. */
  notReady(): Promise<Record<string, string>>;
}

/** Readiness of one service. A check that throws, or is silent for 0.8 s, counts as not ready, with its message. */
export function createHealth(): Health {
  const checks = new Map<string, HealthCheck>();
  let draining = false;
  return {
    check: (name, check) => void checks.set(name, check),
    drain: () => {
      draining = true;
    },
    async notReady() {
      const reasons: Record<string, string> = draining ? { service: 'stopping' } : {};
      await Promise.all(
        [...checks].map(async ([name, check]) => {
          try {
            const reason = await reasonOf(check);
            if (reason !== null) reasons[name] = hideSecrets(reason);
          } catch (error) {
            reasons[name] = hideSecrets(error instanceof Error ? error.message : String(error));
          }
        }),
      );
      return reasons;
    },
  };
}

/** At once when the check is: most are, and they need no timer. */
function reasonOf(check: HealthCheck): ReturnType<HealthCheck> {
  const reason = check();
  return reason instanceof Promise
    ? withTimeout(reason, checkMsMax, () => new Error(`no response for ${checkMsMax / 1_000} s`))
    : reason;
}

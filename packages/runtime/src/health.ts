import { hideSecrets } from './hide-secrets.ts';
import { within } from './within.ts';

/** A check that has not answered by then, in milliseconds, has failed: whoever asks about readiness waits a second at most, as Kubernetes does. */
const checkMsMax = 800;

/** Answers with what is wrong, or null when all is well. Must be cheap: it is asked every second. */
export type HealthCheck = () => string | null | Promise<string | null>;

export interface Health {
  /** Adds something that must be well before the service takes work. */
  check(name: string, check: HealthCheck): void;
  /** From now on the service is not ready: it drains (first step of every stop). */
  drain(): void;
  /** What is not ready, by name; empty means ready. */
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
      const trouble: Record<string, string> = draining ? { service: 'stopping' } : {};
      await Promise.all(
        [...checks].map(async ([name, check]) => {
          try {
            const answer = await answerOf(check);
            if (answer !== null) trouble[name] = hideSecrets(answer);
          } catch (error) {
            trouble[name] = hideSecrets(error instanceof Error ? error.message : String(error));
          }
        }),
      );
      return trouble;
    },
  };
}

/** At once when the check is: most are, and they need no timer. */
function answerOf(check: HealthCheck): ReturnType<HealthCheck> {
  const answer = check();
  return answer instanceof Promise ? within(answer, checkMsMax, () => new Error(`no answer for ${checkMsMax / 1_000} s`)) : answer;
}

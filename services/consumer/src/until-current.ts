import type { HealthCheck } from '@millrace/runtime/operations/health.ts';
import { withTimeout } from '@millrace/runtime/with-timeout.ts';

/** Returns the migrations that an engine lacks. */
export type SchemaQuery = () => Promise<{ pending: string[] }>;

/** Less than readiness waits for a check, in milliseconds: so it says which engine was silent. */
const silenceMsMax = 700;

/** Readiness of the schemas: checked until every engine has all migrations of this build, and no more after that. */
export function untilCurrent(engines: Readonly<Record<string, SchemaQuery>>): HealthCheck {
  const open = new Map(Object.entries(engines));
  return async () => {
    const missing = await Promise.all(
      [...open].map(async ([name, query]) => {
        const { pending } = await withTimeout(query(), silenceMsMax, () => new Error(`${name} does not respond`));
        if (pending.length > 0) return `${name} lacks migrations: ${pending.join(', ')}`;
        open.delete(name);
        return null;
      }),
    );
    return missing.find((one) => one !== null) ?? null;
  };
}

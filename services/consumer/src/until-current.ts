import type { HealthCheck } from '@millrace/runtime/health.ts';

/** Answers which migrations an engine lacks. */
export type SchemaQuestion = () => Promise<{ pending: string[] }>;

/** Readiness of the schemas: asked until every engine has all migrations of this build, and no more after that. */
export function untilCurrent(engines: Readonly<Record<string, SchemaQuestion>>): HealthCheck {
  const open = new Map(Object.entries(engines));
  return async () => {
    for (const [name, ask] of open) {
      const { pending } = await ask();
      if (pending.length > 0) return `${name} lacks migrations: ${pending.join(', ')}`;
      open.delete(name);
    }
    return null;
  };
}

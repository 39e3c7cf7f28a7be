import { createLogger, type Logger } from '@millrace/runtime/logs/logger.ts';

interface Warning {
  err: Error;
  requests?: number;
}

/** A silent logger, and what it was warned of. */
export function recordedWarnings(): { logger: Logger; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const logger = createLogger('capture', 'silent');
  logger.warn = (warning: Warning) => void warnings.push(warning);
  return { logger, warnings };
}

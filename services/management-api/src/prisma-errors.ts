import { AppError } from '@millrace/http/errors.ts';

/** True when a write met a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return prismaCode(error) === 'P2002';
}

/** Prisma's codes for a database that cannot be reached, is starting, or is out of connections. */
const unavailableCodes = new Set(['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);
/** The same from the driver below Prisma, by the code of the system or of Postgres. */
const unavailableDriverCodes = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|57P0[123]|08\w{3}|53300)$/;

/** A database that is down is a 503, not a fault of ours; undefined for every other error. */
export function translateDatabaseError(error: unknown): AppError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = prismaCode(cause) ?? '';
    if (unavailableCodes.has(code) || unavailableDriverCodes.test(code) || isConnectionLoss(cause)) {
      return new AppError('unavailable', { retryAfterS: 2, cause: error });
    }
  }
  return undefined;
}

function prismaCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function isConnectionLoss(error: Error): boolean {
  return error.name === 'PrismaClientInitializationError' || /connection terminated|server closed the connection/i.test(error.message);
}

import { AppError, type ErrorDetails } from '@millrace/http/errors/errors.ts';

/** An error of a request as plain data, which can leave a thread. */
export interface TaskError {
  code: AppError['code'];
  details: Pick<ErrorDetails, 'detail' | 'attr' | 'publicCode'>;
}

/** The error as plain data, without its cause. */
export function taskErrorOf({ code, details: { detail, attr, publicCode } }: AppError): TaskError {
  return {
    code,
    details: {
      ...(detail !== undefined && { detail }),
      ...(attr !== undefined && { attr }),
      ...(publicCode !== undefined && { publicCode }),
    },
  };
}

/** The error that a task ended with. */
export function appErrorOf({ code, details }: TaskError, cause?: unknown): AppError {
  return new AppError(code, { ...details, ...(cause !== undefined && { cause }) });
}

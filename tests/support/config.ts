/** Whether a suite that cannot get what it needs fails, instead of being skipped: in continuous integration. */
export const mustRun = (): boolean => Boolean(process.env['CI']);

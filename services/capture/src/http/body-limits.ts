// Largest bodies as sent that no setting changes (contract/capture 1.9).

const mebibyte = 1024 * 1024;

/** A request of the V1 protocol. */
export const v1BodyBytesMax = 10 * mebibyte;

/** Session recordings. */
export const recordingBytesMax = 25 * mebibyte;

/** A request for flags holds a person and its groups; nobody needs more. */
export const flagsBytesMax = mebibyte;
export const flagsInflatedBytesMax = 4 * flagsBytesMax;

/** The size in words. */
export const inMebibytes = (bytes: number): string => `${Number((bytes / mebibyte).toFixed(1))} MiB`;

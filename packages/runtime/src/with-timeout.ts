/** The outcome of `work`, or `timeoutError` when it takes longer than `ms`; then `work` continues unobserved. */
export function withTimeout<T>(work: Promise<T>, ms: number, timeoutError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeoutError()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The outcome of `work`, or an error of `late` when it takes longer than `ms`; then `work` goes on unobserved. */
export function within<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** True for an ISO date or time, with or without a zone. */
export function isTime(text: unknown): text is string {
  return typeof text === 'string' && pattern.test(text);
}

/** Labels of times as trends write them: `6-Jan-2025` when all are midnights, else `6-Jan 09:00` (contract/insights 4). */
export function timeLabels(times: readonly string[]): string[] {
  const parts = times.map((time) => pattern.exec(time));
  const areDays = parts.every((part) => part === null || (part[4] ?? '00:00') === '00:00');
  return parts.map((part, index) => {
    if (part === null) return times[index] ?? '';
    const [, year = '', month = '', day = '', clock = '00:00'] = part;
    const date = `${Number(day)}-${months[Number(month) - 1] ?? month}`;
    return areDays ? `${date}-${year}` : `${date} ${clock}`;
  });
}

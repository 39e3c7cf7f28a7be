import { ConfigError } from '@millrace/runtime/config.ts';
import { hideSecrets } from '@millrace/runtime/logs/hide-secrets.ts';

/** The text of an error for standard error: its message, its causes, and advice when a server did not reply. Pure. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const message = at.message.trim() || codeOf(at);
    if (message !== '' && !messages.includes(message)) messages.push(message);
  }
  const text = hideSecrets(messages.length === 0 ? String(error) : messages.join('\n  because: '));
  const unreachable =
    /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|P1001|Can't reach|timeout exceeded|connection timeout|gave no response/.test(
      `${text} ${codes(error)}`,
    );
  return unreachable
    ? `${text}\nThe database does not respond. Is the system running ("npm start"), and is the address right?`
    : text;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function codes(error: unknown): string {
  const found: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) found.push(codeOf(at));
  return found.join(' ');
}

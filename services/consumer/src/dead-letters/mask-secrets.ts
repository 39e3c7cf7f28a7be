const keys = /\bph[a-z]_[A-Za-z0-9_-]{6,}/g;

/** A secret as people may see it: its first and last four characters. Pure. */
export function maskSecret(secret: string): string {
  return secret.length <= 12 ? '...' : `${secret.slice(0, 4)}...${secret.slice(-4)}`;
}

/** A text without the project tokens and keys in it; `secrets` are masked whatever they look like. Pure. */
export function maskSecrets(text: string, secrets: readonly string[] = []): string {
  const masked = secrets
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, maskSecret(secret)), text);
  return masked.replace(keys, maskSecret);
}

import { cpSync, readdirSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

/** Whether a file of the checkout is sent to the build: the last pattern that fits it, or a folder above it, decides. Pure. */
export function isSent(path: string, ignoreText: string): boolean {
  const parts = path.split('/');
  const above = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  let sent = true;
  for (const line of ignoreText.split('\n').map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const isException = line.startsWith('!');
    const pattern = isException ? line.slice(1) : line;
    if (above.some((folder) => matchesGlob(folder, pattern))) sent = isException;
  }
  return sent;
}

/** Never sent, and large. */
const passedOver = ['node_modules', '.git', '.tools', '.millrace'];

/** Copies what a build would be sent of the checkout. */
export function copyContext(checkout: string, ignoreText: string, to: string): void {
  for (const entry of readdirSync(checkout, { recursive: false, withFileTypes: true }))
    copy(entry.name, entry.isDirectory());

  function copy(path: string, isFolder: boolean): void {
    if (passedOver.includes(path.split('/').at(-1) ?? '')) return;
    if (!isFolder) {
      if (isSent(path, ignoreText)) cpSync(join(checkout, path), join(to, path));
      return;
    }
    for (const entry of readdirSync(join(checkout, path), { withFileTypes: true }))
      copy(`${path}/${entry.name}`, entry.isDirectory());
  }
}

import { createHash } from 'node:crypto';
import { sendRequest } from '../../../support/api.ts';
import type { Local } from '../../../support/system.ts';

interface Started {
  symbol_set_id: string;
  presigned_url: { url: string; fields: Record<string, string> };
}

const atOnce = 50;

/** Uploads the same file for each of the chunks of the demo project, as posthog-cli does. @throws when the API refuses it */
export async function uploadSets(
  local: Local,
  chunks: readonly string[],
  file: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const contentHash = createHash('sha512').update(file).digest('hex');
  for (let from = 0; from < chunks.length; from += atOnce) {
    const symbolSets = chunks
      .slice(from, from + atOnce)
      .map((chunkId) => ({ chunk_id: chunkId, content_hash: contentHash }));
    const started = await call<{ id_map: Record<string, Started> }>(local, 'bulk_start_upload', {
      symbol_sets: symbolSets,
    });
    const uploads = Object.values(started.id_map);
    for (const { presigned_url: form } of uploads) await postFile(form, file);
    const hashes = Object.fromEntries(uploads.map(({ symbol_set_id: id }) => [id, contentHash]));
    await call(local, 'bulk_finish_upload', { content_hashes: hashes });
  }
}

async function call<Body>(local: Local, route: string, sent: object): Promise<Body> {
  const path = `/api/projects/${local.projectId}/error_tracking/symbol_sets/${route}`;
  const { status, body } = await sendRequest<Body>(local, 'POST', path, sent);
  if (status >= 300) throw new Error(`${route} was refused: ${JSON.stringify(body)}`);
  return body;
}

async function postFile({ url, fields }: Started['presigned_url'], file: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file]), 'file');
  const { status } = await fetch(url, { method: 'POST', body: form });
  if (status !== 204) throw new Error(`a file was refused with ${status}`);
}

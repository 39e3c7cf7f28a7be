import type { Seed, TestApi } from '../../../../test/test-api.ts';
import type { Reply, ReplyBody } from '../../../../test/test-request.ts';

/** A symbol set as a client offers it. */
interface GivenSet {
  chunk_id: string;
  release_id?: string | null;
  content_hash?: string | null;
  content_length?: number | null;
}

interface StartedUpload {
  symbol_set_id: string;
  presigned_url: { url: string; fields: Record<string, string> };
  presigned_put_url?: string;
}

/** Fields of the answers that the tests read. */
export interface UploadReply extends Omit<ReplyBody, 'results'> {
  ref: string;
  last_used: string | null;
  failure_reason: string | null;
  has_uploaded_file: boolean;
  release: { id: string } | null;
  count: number | null;
  next: string | null;
  results: UploadReply[];
  url: string;
  deleted: number;
  id_map: Record<string, StartedUpload>;
  chunk_ids_to_upload: string[];
}

type Answer = Reply<UploadReply>;

/** Uploads files of symbol sets as clients do, at a process of the API. */
export function uploadClient(
  api: TestApi,
  { projectId, key }: Pick<Seed, 'projectId' | 'key'>,
  process: { url: string } = api.api,
) {
  const path = `/api/projects/${projectId}/error_tracking/symbol_sets`;
  const send = async (method: 'get' | 'post' | 'put' | 'delete', rest = '', body?: object): Promise<Answer> =>
    await api
      .as(key, process)
      .send<UploadReply>(method, path + rest)
      .send(body);
  const start = (symbol_sets: readonly GivenSet[], more: object = {}): Promise<Answer> =>
    send('post', '/bulk_start_upload', { symbol_sets, ...more });
  const finish = (content_hashes: Record<string, string>): Promise<Answer> =>
    send('post', '/bulk_finish_upload', { content_hashes });
  return {
    path,
    send,
    start,
    finish,
    check: (symbol_sets: readonly GivenSet[], more: object = {}): Promise<Answer> =>
      send('post', '/bulk_check_upload', { symbol_sets, ...more }),
    /** Starts one upload, which the decision table must want. */
    async begin(set: GivenSet, more: object = {}): Promise<StartedUpload> {
      const { status, body } = await start([set], more);
      const entry = body.id_map?.[set.chunk_id];
      if (status !== 201 || entry === undefined) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return entry;
    },
    /** The whole way of one set. Returns its id. */
    async upload(chunk_id: string, bytes: Buffer, content_hash: string, more: object = {}): Promise<string> {
      const entry = await this.begin({ chunk_id, content_hash }, more);
      await postFile(entry.presigned_url, bytes);
      const { status, body } = await finish({ [entry.symbol_set_id]: content_hash });
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return entry.symbol_set_id;
    },
    /** Bytes of the file; null: it has none. */
    async download(id: string): Promise<Buffer | null> {
      const { status, body } = await send('get', `/${id}/download/`);
      if (status === 404) return null;
      const reply = await fetch(body.url);
      return reply.status === 200 ? Buffer.from(await reply.arrayBuffer()) : null;
    },
  };
}

/** Posts the form: its fields, and the file last. Returns the status. */
export async function postFile({ url, fields }: StartedUpload['presigned_url'], bytes: Buffer): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields).toReversed()) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'file');
  return (await fetch(url, { method: 'POST', body: form })).status;
}

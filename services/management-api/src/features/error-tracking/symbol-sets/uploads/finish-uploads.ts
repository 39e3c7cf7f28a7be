import {
  Boolean,
  Object as ObjectType,
  Optional,
  Record as RecordType,
  String as StringType,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../../context.ts';
import { symbolSetRoute, symbolSetsPath } from '../symbol-set.ts';
import { completeUploads } from './complete-uploads.ts';
import { hashLengthMax, setsMax } from './upload-request.ts';

/** Body of finish. */
const FinishBody = ObjectType(
  {
    content_hashes: Optional(
      RecordType(StringType(), StringType({ maxLength: hashLengthMax }), {
        description:
          'Content hashes by `symbol_set_id`, up to 1000, as they were announced. None: nothing is to be done.',
        examples: [{}],
      }),
    ),
  },
  { title: 'SymbolSetBulkFinish' },
);

/** Reply to a finished upload. */
export const Finished = ObjectType({ success: Boolean() }, { title: 'SymbolSetBulkFinished' });

export const finishErrors = [
  'symbol_set_not_found',
  'file_not_found',
  'file_too_large',
  'object_storage_required',
] as const;

export const finishUploads = projectRoute({
  ...symbolSetRoute,
  operationId: 'finish_symbol_set_uploads',
  method: 'post',
  path: `${symbolSetsPath}/bulk_finish_upload`,
  access: { scope: 'error_tracking:write' },
  summary: 'Say that files of symbol sets are uploaded',
  description: 'When one file is not there, no set is changed. A finished upload may be finished again.',
  jsonOnly: true,
  body: FinishBody,
  responses: { 200: Finished },
  errors: finishErrors,
  async handler({ body, auth, context }) {
    const hashes = readHashes(body);
    if (hashes.size > 0) await completeUploads({ context, auth, hashes });
    return { success: true };
  },
});

function readHashes({ content_hashes: given = {} }: Static<typeof FinishBody>): ReadonlyMap<string, string> {
  const entries = Object.entries(given).map(([id, hash]) => [id.toLowerCase(), hash] as const);
  if (entries.length > setsMax)
    throw new AppError('max_length', {
      attr: 'content_hashes',
      detail: `Ensure this field has no more than ${setsMax} elements.`,
    });
  return new Map(entries);
}

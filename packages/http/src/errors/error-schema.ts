import { Object as ObjectType, Optional, String as StringType, Unsafe } from 'typebox';

/** Schema of every error's body; more keys may be there (contract/orgs-errors 1.4). */
export const ErrorReply = ObjectType(
  {
    type: StringType({ description: 'Family of the error.' }),
    code: StringType({ description: 'What went wrong, for programs.' }),
    detail: StringType({ description: 'What went wrong, for people.' }),
    attr: Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The field at fault; nested parts are joined by `__`.',
    }),
    error: Optional(
      StringType({ description: 'The same sentence as `detail`, where clients expect it by this name.' }),
    ),
  },
  { title: 'Error' },
);

import { describeOverflow } from '../test/describe-overflow.ts';

describeOverflow(400, ['pending-committed', 'events-moved', 'persons-applied', 'rows-inserted']);

import { describeOverflow } from '../test/describe-overflow.ts';

// 400 events, which make 480 MB to write, and the other places: overflow.full.test.ts.
describeOverflow(100, ['persons-applied']);

import { describeCorpora } from '../test/describe-corpora.ts';

// Statements that are labour alone: corpora.full.test.ts.
describeCorpora('foreign rows');

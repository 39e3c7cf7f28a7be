import { describeCorpora } from '../test/describe-corpora.ts';

describeCorpora('all');

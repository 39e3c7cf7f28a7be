import { describeIdentityModel } from './test/identity-model-suite.ts';

describeIdentityModel(100, 60_000);

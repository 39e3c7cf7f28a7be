import type { Route } from '@millrace/http/define-route.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import type { Context } from './context.ts';
import { issueRoutes } from './issues/issue-routes.ts';
import { createRelease } from './releases/create-release.ts';
import { deleteRelease } from './releases/delete-release.ts';
import { listReleases } from './releases/list-releases.ts';
import { retrieveRelease, retrieveReleaseByHash } from './releases/retrieve-release.ts';
import { replaceRelease, updateRelease } from './releases/update-release.ts';
import { stackFrameRoutes } from './stack-frames/stack-frame-routes.ts';
import { suppressionRuleRoutes } from './suppression-rules/suppression-rule-routes.ts';
import { deleteSymbolSet, deleteSymbolSets } from './symbol-sets/delete-symbol-set.ts';
import { downloadSymbolSet } from './symbol-sets/download-symbol-set.ts';
import { listSymbolSets } from './symbol-sets/list-symbol-sets.ts';
import { retrieveSymbolSet } from './symbol-sets/retrieve-symbol-set.ts';
import { checkUploads } from './symbol-sets/uploads/check-uploads.ts';
import { finishUploads } from './symbol-sets/uploads/finish-uploads.ts';
import { finishOldUpload, startOldUpload } from './symbol-sets/uploads/start-old-upload.ts';
import { startUploads } from './symbol-sets/uploads/start-uploads.ts';
import { uploadOldFile } from './symbol-sets/uploads/upload-old-file.ts';

/** Routes of this feature, in the order of the reference. Fixed names precede the parameter that would match them. */
export const errorTrackingRoutes: readonly Route<Context>[] = [
  listReleases,
  createRelease,
  retrieveReleaseByHash,
  retrieveRelease,
  updateRelease,
  replaceRelease,
  deleteRelease,

  listSymbolSets,
  uploadOldFile,
  checkUploads,
  startUploads,
  finishUploads,
  deleteSymbolSets,
  startOldUpload,
  retrieveSymbolSet,
  deleteSymbolSet,
  downloadSymbolSet,
  finishOldUpload,

  ...stackFrameRoutes,
  ...suppressionRuleRoutes,
  ...issueRoutes,
  ...alertRoutes,
];

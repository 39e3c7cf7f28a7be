/** Folders of the object storage for symbol sets: uploads as clients sent them, and what the consumer compiled of each, under the same name with a version. */
export const symbolFolders = { uploads: 'symbolsets', indexes: 'symbolindexes' } as const;

/** Sum of the versions of all formats of an index (`packages/symbolication`): consumers of two versions never write over each other's. */
export const symbolIndexVersion = 4;

/** Key of the index of an upload. Pure. */
export const symbolIndexKey = (uploadKey: string): string =>
  `${uploadKey.replace(/^[^/]*/, symbolFolders.indexes)}_${symbolIndexVersion}`;

/** Key of the upload of an index of whatever version, also one of before versions were in keys; that of an upload itself. Pure. */
export const symbolUploadKey = (key: string): string =>
  key.replace(/^[^/]*/, symbolFolders.uploads).replace(/_\d+$/, '');

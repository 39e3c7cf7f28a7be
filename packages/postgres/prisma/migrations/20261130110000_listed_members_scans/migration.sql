-- A page or a count of members takes some milliseconds: as long as it takes to start a worker that would help with it.
ALTER TABLE "listed_members" SET (parallel_workers = 0);

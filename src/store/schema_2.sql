-- SPDX-License-Identifier: GPL-2.0-or-later
-- From version 1 of the store to version 2: what comparisons ask before they open an archive.
-- NULL in all of these: the run was stored by version 1.

ALTER TABLE run ADD COLUMN workload TEXT;      -- what was measured: equal texts are repeats
ALTER TABLE run ADD COLUMN plain INTEGER CHECK (plain IN (0, 1)); -- 1: metric_value says it all
ALTER TABLE run ADD COLUMN source TEXT;        -- 'FILE:LINE' it was imported from; '' for none
ALTER TABLE run ADD COLUMN nr_metrics INTEGER;
ALTER TABLE run ADD COLUMN digest INTEGER;     -- of all metrics: finds what was imported before

CREATE INDEX run_by_digest ON run (digest) WHERE digest IS NOT NULL;

-- SPDX-License-Identifier: GPL-2.0-or-later
-- Version 1 of the store: what a new file is made with. Later versions are steps on top of it
-- (the table in migrate.c), so this text never changes once released.
--
-- Times are Unix milliseconds. A metric is a row, never a column.

CREATE TABLE experiment (
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice: reports quote it
	kind TEXT NOT NULL,                   -- the command: 'run', 'ab'
	command TEXT NOT NULL,                -- as typed
	plan TEXT,                            -- JSON
	started_at_unix_ms INTEGER NOT NULL,
	ended_at_unix_ms INTEGER,             -- NULL: still running, or killed
	verdict TEXT,
	document TEXT                         -- JSON, what --json printed
) STRICT;

CREATE TABLE run (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	experiment_id INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
	label TEXT NOT NULL,                  -- sample it belongs to; '' for none
	sequence INTEGER NOT NULL,            -- position in the experiment
	used INTEGER NOT NULL CHECK (used IN (0, 1)), -- 0: warm-up or failed, not in the sample
	error INTEGER NOT NULL,               -- errno of the first failed job
	interrupted INTEGER NOT NULL CHECK (interrupted IN (0, 1)),
	tool TEXT,
	tool_version TEXT,
	target TEXT,
	clock TEXT,
	method_version INTEGER NOT NULL,
	seed TEXT NOT NULL,                   -- decimal: does not fit a signed 64-bit column
	started_at_unix_ms INTEGER NOT NULL,
	elapsed_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX run_by_experiment ON run (experiment_id, sequence);
CREATE INDEX run_by_label ON run (label, experiment_id, sequence);

-- The result as it was measured: archive JSON. Everything below is derived from it for queries.
CREATE TABLE archive (
	run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
	json TEXT NOT NULL
) STRICT;

CREATE TABLE metric_name (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	unit TEXT NOT NULL
) STRICT;

CREATE TABLE metric_value (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	metric_id INTEGER NOT NULL REFERENCES metric_name (id),
	value REAL NOT NULL,
	PRIMARY KEY (run_id, metric_id)
) STRICT, WITHOUT ROWID;

-- Latency histograms; counts: pairs of LEB128 numbers, the distance from the bucket before
-- (the first one: its index) and the count. Bucket layout: src/stats/hist.h.
CREATE TABLE histogram (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	job INTEGER NOT NULL,                 -- index in the result
	direction TEXT NOT NULL,              -- 'read', 'write', 'trim', 'sync'
	kind TEXT NOT NULL,                   -- 'slat', 'clat', 'lat'
	counts BLOB NOT NULL,
	PRIMARY KEY (run_id, job, direction, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE env (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	key TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	position INTEGER NOT NULL,            -- order in which they were applied
	key TEXT NOT NULL,
	value TEXT NOT NULL,                  -- as read back
	PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	position INTEGER NOT NULL,
	kind TEXT NOT NULL,                   -- 'job-error'
	text TEXT NOT NULL,
	PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

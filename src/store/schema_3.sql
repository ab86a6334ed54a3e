-- SPDX-License-Identifier: GPL-2.0-or-later
-- From version 2 of the store to version 3: the runs of a session share one environment, which is
-- kept once. The archive JSON of a run leaves it out.

CREATE TABLE env_set (
	id INTEGER PRIMARY KEY,
	digest TEXT NOT NULL UNIQUE           -- SHA-256 of all its facts
) STRICT;

CREATE TABLE env_fact (
	env_set_id INTEGER NOT NULL REFERENCES env_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL,
	key TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (env_set_id, position)
) STRICT, WITHOUT ROWID;

-- Whole texts, such as the configuration of a kernel. A run has the fact NAME_sha256.
CREATE TABLE attachment (
	name TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (name, sha256)
) STRICT;

ALTER TABLE run ADD COLUMN env_set_id INTEGER REFERENCES env_set (id); -- NULL: none recorded

INSERT INTO env_set (id, digest)
	SELECT DISTINCT run_id, 'of run ' || run_id FROM env;
INSERT INTO env_fact (env_set_id, position, key, value)
	SELECT run_id, row_number() OVER (PARTITION BY run_id ORDER BY key) - 1, key, value FROM env;
UPDATE run SET env_set_id = id WHERE id IN (SELECT id FROM env_set);
DROP TABLE env;

CREATE VIEW env (run_id, key, value) AS
	SELECT run.id, env_fact.key, env_fact.value
	FROM run JOIN env_fact ON env_fact.env_set_id = run.env_set_id;

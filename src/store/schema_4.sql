-- SPDX-License-Identifier: GPL-2.0-or-later
-- From version 3 of the store to version 4: experiments that were interrupted go on where they
-- stopped. A trial is known by its name in the plan, whatever the order in which it ran.

CREATE TABLE trial (
	experiment_id INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
	name TEXT NOT NULL,                   -- 'POINT.REPEAT.ATTEMPT'
	run_id INTEGER NOT NULL UNIQUE REFERENCES run (id) ON DELETE CASCADE,
	PRIMARY KEY (experiment_id, name)
) STRICT, WITHOUT ROWID;

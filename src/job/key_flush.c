/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type of sync_file_range: flags of that system call and how many writes lie between two. */
#include "job/key.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/number.h"
#include "model/job.h"

static int range_flag_parse(const char *text, size_t len, unsigned *flags, struct err *err)
{
	static const struct {
		const char *name;
		unsigned flag;
	} rows[] = {
		{ "wait_before", SYNC_FILE_RANGE_WAIT_BEFORE },
		{ "write", SYNC_FILE_RANGE_WRITE },
		{ "wait_after", SYNC_FILE_RANGE_WAIT_AFTER },
	};
	struct short_text quoted;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strlen(rows[i].name) == len && !memcmp(rows[i].name, text, len)) {
			*flags |= rows[i].flag;
			return 0;
		}
	}
	return err_set(err, ERR_INPUT, "'%s' is not a list of wait_before, write, wait_after",
		       short_text(text, &quoted));
}

/* "wait_before,write:32"; 1 without a number. */
static int sync_range_parse(const struct key_row *row, const char *text,
			    struct number_reader *reader, struct job *job, struct err *err)
{
	struct sync_range range = { .every = 1 };
	const char *pos = text;
	uint64_t every;
	int ret = 0;

	for (;;) {
		size_t len = strcspn(pos, ",:");

		ret = range_flag_parse(pos, len, &range.flags, err);
		if (ret < 0)
			return ret;
		pos += len;
		if (*pos != ',')
			break;
		pos++;
	}
	if (*pos == ':') {
		ret = number_parse_count(reader, pos + 1, &every, err);
		if (ret == 0 && every > UINT_MAX)
			ret = err_set(err, ERR_INPUT, "the number of writes is too large");
		if (ret < 0)
			return ret;
		range.every = (unsigned)every;
	}
	*(struct sync_range *)key_field(row, job) = range;
	return 0;
}

const struct key_type key_sync_range = { .parse = sync_range_parse };

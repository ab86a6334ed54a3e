/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_OUTPUT_CAPTURE_H
#define REGIO_TESTS_UNIT_OUTPUT_CAPTURE_H

/* A stream into memory:
 *
 *	struct capture capture;
 *	capture_start(&capture);
 *	.. write to capture.to ..
 *	CLEANUP(free) char *text = capture_end(&capture);
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "test.h"

struct capture {
	FILE *to;
	char *text;
	size_t len;
};

static inline void capture_start(struct capture *capture)
{
	capture->to = open_memstream(&capture->text, &capture->len);
	assert_non_null(capture->to);
}

static inline char *capture_end(struct capture *capture)
{
	assert_int_equal(fclose(capture->to), 0);
	return capture->text;
}

#endif

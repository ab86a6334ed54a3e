/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay: runs one fuzz target over the files of its corpus, without libFuzzer. */
#include "fuzz.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY_MAX_BYTES (16u << 20)

static int replay_file(const char *path)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	CLEANUP(free) uint8_t *data = NULL;
	struct err err = { .code = 0 };

	if (file_read(path, REPLAY_MAX_BYTES, &content, &err) < 0) {
		(void)printf("# %s\n", err.msg);
		return -1;
	}
	/* An exact copy, so that sanitizers see a read past the end. */
	data = xmalloc(content.len);
	memcpy(data, strbuf_str(&content), content.len);
	return LLVMFuzzerTestOneInput(data, content.len);
}

int main(int argc, char **argv)
{
	size_t nr_inputs = 0;
	size_t nr_failed = 0;
	struct dirent *entry;
	DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;

	(void)printf("1..1\n");
	if (!dir) {
		(void)printf("not ok 1 - no corpus folder %s\n", argc == 2 ? argv[1] : "given");
		return 1;
	}
	nr_failed += LLVMFuzzerTestOneInput(NULL, 0) != 0;
	while ((entry = readdir(dir))) {
		CLEANUP(free) char *path = xasprintf("%s/%s", argv[1], entry->d_name);

		if (entry->d_name[0] == '.')
			continue;
		nr_inputs++;
		nr_failed += replay_file(path) != 0;
	}
	(void)closedir(dir);
	(void)printf("%sok 1 - corpus\n# %zu inputs, %zu failed\n",
		     nr_failed || nr_inputs == 0 ? "not " : "", nr_inputs, nr_failed);
	return nr_failed || nr_inputs == 0;
}

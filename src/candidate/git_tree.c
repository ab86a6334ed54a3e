/* SPDX-License-Identifier: GPL-2.0-or-later */
/* git_tree: checks commits out into folders of its own, builds them, keeps what was built. */
#include "candidate/git_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/name_index.h"
#include "candidate/candidate.h"
#include "candidate/git.h"
#include "candidate/make.h"

#define CACHE_DIR_MODE 0700
#define CACHE_FILE_MODE 0600
#define MAX_NAME_BYTES 4096

int git_trees_check(const char *repository, struct err *err)
{
	CLEANUP(free) char *program = child_find_program("git");
	const struct git_call call = { .dir = repository, .words = { "rev-parse", "--git-dir" } };
	struct err why = { .code = 0 };
	struct stat st;

	if (!program)
		return err_set(err, ERR_UNSUPPORTED, "--git: the program git is not installed");
	if (stat(repository, &st) < 0)
		return err_set_errno(err, "--git: '%s'", repository);
	if (git_run(&call, "git", NULL, &why) < 0)
		return err_set(err, ERR_INPUT, "--git: '%s' is no repository: %s", repository,
			       why.msg);
	return 0;
}

/* ---- the folder and the clone ---- */

static int find_git_dir(const char *repository, char **ret_git_dir, struct err *err)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	const struct git_call call = {
		.dir = repository,
		.words = { "rev-parse", "--path-format=absolute", "--git-common-dir" },
	};
	int ret = git_run(&call, "git rev-parse", &out, err);

	if (ret < 0)
		return ret;
	if (out.len && out.buf[out.len - 1] == '\n')
		strbuf_truncate(&out, out.len - 1);
	*ret_git_dir = strbuf_take(&out);
	return 0;
}

static int take_lock(struct git_trees *trees, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/lock", trees->folder);
	CLEANUP(fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, CACHE_FILE_MODE);

	if (fd < 0)
		return err_set_errno(err, "open %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return err_set(err, ERR_SYSTEM,
			       "another bisection builds the same commits; it holds '%s'", path);
	trees->lock_fd = fd_take(&fd);
	return 0;
}

static int remove_tree(const char *path, struct err *err)
{
	const char *const argv[] = { "rm", "-rf", "--", path, NULL };
	const struct child_spec spec = { .argv = argv };

	return child_run_checked(&spec, "remove an old tree", NULL, err);
}

static int make_clone(const struct git_trees *trees, struct err *err)
{
	CLEANUP(free) char *clone = xasprintf("%s/clone", trees->folder);
	CLEANUP(free) char *part = xasprintf("%s/clone.part", trees->folder);
	const struct git_call call = {
		.dir = trees->folder,
		.words = { "clone", "--quiet", "--shared", "--no-checkout", "--", trees->git_dir,
			   "clone.part" },
		.stop = trees->stop,
	};
	int ret;

	if (file_exists(clone))
		return 0;
	ret = remove_tree(part, err);
	if (ret == 0)
		ret = git_run(&call, "git clone", NULL, err);
	if (ret < 0)
		return ret;
	return rename(part, clone) < 0 ? err_set_errno(err, "rename %s", part) : 0;
}

static char *marker_path(const struct git_trees *trees, const char *hash)
{
	return xasprintf("%s/%s.built", trees->folder, hash);
}

/* The tree that is marked as built; NULL if there is none. Caller frees. */
static char *find_built(const struct git_trees *trees, const char *hash)
{
	CLEANUP(free) char *marker = marker_path(trees, hash);
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	CLEANUP(free) char *tree = NULL;

	if (file_read(marker, MAX_NAME_BYTES, &name, NULL) < 0)
		return NULL;
	strbuf_trim(&name);
	if (name.len == 0 || strchr(name.buf, '/'))
		return NULL;
	tree = xasprintf("%s/%s", trees->folder, name.buf);
	return file_exists(tree) ? ptr_take(tree) : NULL;
}

/* "HASH.XXXXXX" without a marker that names it: left by a killed build. */
static bool is_leftover(const struct git_trees *trees, const char *name)
{
	const char *dot = strchr(name, '.');
	CLEANUP(free) char *hash = NULL;
	CLEANUP(free) char *tree = NULL;
	CLEANUP(free) char *built = NULL;

	if (!dot || dot == name || strspn(name, "0123456789abcdef") != (size_t)(dot - name) ||
	    !strcmp(dot, ".built") || !strcmp(dot, ".log"))
		return false;
	hash = xstrndup(name, (size_t)(dot - name));
	tree = xasprintf("%s/%s", trees->folder, name);
	built = find_built(trees, hash);
	return !built || strcmp(built, tree) != 0;
}

static int remove_leftovers(const struct git_trees *trees, struct err *err)
{
	CLEANUP(free) char *clone = xasprintf("%s/clone", trees->folder);
	const struct git_call prune = { .dir = clone, .words = { "worktree", "prune" } };
	DIR *dir = opendir(trees->folder);
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return err_set_errno(err, "open %s", trees->folder);
	while (ret == 0 && (entry = readdir(dir)) != NULL) {
		CLEANUP(free) char *path = xasprintf("%s/%s", trees->folder, entry->d_name);

		if (is_leftover(trees, entry->d_name))
			ret = remove_tree(path, err);
	}
	(void)closedir(dir);
	return ret < 0 ? ret : git_run(&prune, "git worktree", NULL, err);
}

int git_trees_open(struct git_trees *trees, const struct candidate_request *request,
		   struct err *err)
{
	CLEANUP(free) char *key = NULL;
	int ret = find_git_dir(request->where, &trees->git_dir, err);

	if (ret < 0)
		return ret;
	key = xasprintf("%s\n%s", trees->git_dir, request->build ? request->build : "");
	trees->folder =
		xasprintf("%s/git-%016llx", request->cache_dir, (unsigned long long)name_hash(key));
	trees->build = request->build ? xstrdup(request->build) : NULL;
	trees->build_timeout_ns = request->build_timeout_ns;
	trees->stop = request->stop;
	ret = file_make_dirs(trees->folder, CACHE_DIR_MODE, err);
	if (ret == 0)
		ret = take_lock(trees, err);
	if (ret == 0)
		ret = make_clone(trees, err);
	return ret < 0 ? ret : remove_leftovers(trees, err);
}

void git_trees_close(struct git_trees *trees)
{
	if (trees->lock_fd > 0)
		(void)close(trees->lock_fd);
	free(trees->folder);
	free(trees->git_dir);
	free(trees->build);
	*trees = (struct git_trees){ .folder = NULL };
}

/* ---- one tree ---- */

/* In a folder with a new name: a build that outlived its regio cannot write into it. */
static int check_out(const struct git_trees *trees, const char *hash, char **ret_tree,
		     struct err *err)
{
	CLEANUP(free) char *clone = xasprintf("%s/clone", trees->folder);
	CLEANUP(free) char *tree = xasprintf("%s/%s.XXXXXX", trees->folder, hash);
	const struct git_call call = {
		.dir = clone,
		.words = { "worktree", "add", "--quiet", "--force", "--detach", tree, hash },
		.stop = trees->stop,
	};
	int ret;

	if (!mkdtemp(tree))
		return err_set_errno(err, "create %s", tree);
	ret = git_run(&call, "git worktree", NULL, err);
	if (ret == 0)
		*ret_tree = ptr_take(tree);
	return ret;
}

/* A full disk fails every build: that says nothing of the commit. */
static bool is_disk_full(const struct git_trees *trees, const struct strbuf *output)
{
	const char *words = strerror(ENOSPC);
	struct statvfs st;

	return memmem(strbuf_str(output), output->len, words, strlen(words)) != NULL ||
	       (statvfs(trees->folder, &st) == 0 && st.f_blocks && !st.f_bavail);
}

static int run_build(const struct git_trees *trees, const char *hash, const char *tree,
		     char **ret_why, struct err *err)
{
	CLEANUP(free) char *log = xasprintf("%s/%s.log", trees->folder, hash);
	CLEANUP(strbuf) struct strbuf output = STRBUF_INIT;
	const struct make make = {
		.what = "build",
		.command = trees->build,
		.candidate = hash,
		.tree = tree,
		.timeout_ns = trees->build_timeout_ns,
		.stop = trees->stop,
	};
	int ret = make_run(&make, ret_why, &output, err);

	if (ret == 0) /* a disk that is full fails the build itself */
		(void)file_write_atomic(log, strbuf_str(&output), output.len, CACHE_FILE_MODE,
					NULL);
	if (ret == 0 && *ret_why && is_disk_full(trees, &output)) {
		(void)remove_tree(tree, NULL);
		return err_set(err, ERR_SYSTEM, "no space left for the build of %s in '%s': %s",
			       hash, trees->folder, *ret_why);
	}
	return ret;
}

static int mark_built(const struct git_trees *trees, const char *hash, const char *tree,
		      struct err *err)
{
	CLEANUP(free) char *marker = marker_path(trees, hash);
	const char *name = strrchr(tree, '/') + 1;

	return file_write_atomic(marker, name, strlen(name), CACHE_FILE_MODE, err);
}

int git_trees_build(struct git_trees *trees, const char *hash, struct candidate_setup *ret_setup,
		    struct err *err)
{
	CLEANUP(free) char *tree = find_built(trees, hash);
	CLEANUP(free) char *why = NULL;
	int ret = 0;

	if (!tree) {
		ret = check_out(trees, hash, &tree, err);
		if (ret == 0 && trees->build)
			ret = run_build(trees, hash, tree, &why, err);
		if (ret == 0 && why)
			ret = remove_tree(tree, err);
		else if (ret == 0)
			ret = mark_built(trees, hash, tree, err);
	}
	if (ret < 0)
		return ret;
	ret_setup->why_untestable = ptr_take(why);
	if (!ret_setup->why_untestable)
		ret_setup->tree = ptr_take(tree);
	return 0;
}

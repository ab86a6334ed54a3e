/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps: does what a script says, one row for each kind of step. */
#include "guest/steps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "guest/init.h"
#include "guest/modprobe.h"
#include "guest/plan.h"
#include "guest/work.h"
#include "host/attribute.h"
#include "host/dm.h"
#include "journal/journal.h"
#include "model/guest_step.h"
#include "model/job.h"
#include "model/result.h"
#include "model/setting.h"
#include "stack/stack.h"
#include "target/target.h"

#define MAX_CAT_BYTES (1U << 20)
#define STATE_DIR "/tmp/regio"

struct steps {
	const struct guest_plan *plan;
	const struct report *report;
	struct stack *stack; /* built, or NULL */
	struct stack_built built;
	struct journal *journal;
};

/* One step while it is done. */
struct step {
	struct steps *steps;
	const json_t *json;
	const json_t *words;
	unsigned line;
	struct strbuf output;
};

static const char *word(const struct step *step, size_t nr)
{
	return json_string_value(json_array_get(step->words, nr));
}

/* All words from that one on, as one text. */
static void add_rest(const struct step *step, size_t nr, struct strbuf *out)
{
	for (; nr < json_array_size(step->words); nr++)
		strbuf_printf(out, "%s%s", out->len ? " " : "", word(step, nr));
}

static int do_cat(struct step *step, struct err *err)
{
	return file_read(word(step, 0), MAX_CAT_BYTES, &step->output, err);
}

static int do_ls(struct step *step, struct err *err)
{
	struct dirent **names;
	int nr = scandir(word(step, 0), &names, NULL, alphasort);

	if (nr < 0)
		return err_set_errno(err, "%s", word(step, 0));
	for (int i = 0; i < nr; i++) {
		if (names[i]->d_name[0] != '.')
			strbuf_printf(&step->output, "%s\n", names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return 0;
}

static int do_mkdir(struct step *step, struct err *err)
{
	if (mkdir(word(step, 0), 0755) != 0)
		return err_set_errno(err, "%s", word(step, 0));
	return 0;
}

/* No file is made: a mistyped path below /sys or /dev would become one in memory. */
static int do_write(struct step *step, struct err *err)
{
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;
	CLEANUP(fd) int fd = open(word(step, 0), O_WRONLY | O_CLOEXEC);
	int ret;

	add_rest(step, 1, &value);
	if (fd < 0)
		return err_set_errno(err, "%s", word(step, 0));
	ret = file_write_all(fd, value.buf, value.len);
	errno = -ret;
	return ret < 0 ? err_set_errno(err, "'%s' to %s", value.buf, word(step, 0)) : 0;
}

static int do_mount(struct step *step, struct err *err)
{
	const char *options = word(step, 3);

	(void)mkdir(word(step, 2), 0755); /* the mount says what is wrong with it */
	if (mount(word(step, 1), word(step, 2), word(step, 0), 0, options ? options : "") != 0)
		return err_set_errno(err, "%s on %s", word(step, 1), word(step, 2));
	return 0;
}

static int do_umount(struct step *step, struct err *err)
{
	if (umount(word(step, 0)) != 0)
		return err_set_errno(err, "%s", word(step, 0));
	return 0;
}

static int do_modprobe(struct step *step, struct err *err)
{
	CLEANUP(strbuf) struct strbuf params = STRBUF_INIT;
	int ret;

	add_rest(step, 1, &params);
	ret = modprobe_load(word(step, 0), strbuf_str(&params), err);
	init_mount_optional(); /* configfs may be there now */
	return ret;
}

/* Its UUID is its name: no library and no daemon has to know it. */
static int do_dm(struct step *step, struct err *err)
{
	CLEANUP(strbuf) struct strbuf table = STRBUF_INIT;
	CLEANUP(free) char *link = xasprintf("/dev/mapper/%s", word(step, 0));
	CLEANUP(free) char *node = NULL;
	unsigned number = 0;
	int ret;

	add_rest(step, 1, &table);
	ret = dm_create_table(word(step, 0), word(step, 0), table.buf, ';', &number, err);
	if (ret < 0)
		return ret;
	node = xasprintf("/dev/dm-%u", number);
	(void)unlink(link);
	if (symlink(node, link) != 0)
		return err_set_errno(err, "%s", link);
	strbuf_printf(&step->output, "%s\n", node);
	return 0;
}

static int do_dm_message(struct step *step, struct err *err)
{
	CLEANUP(strbuf) struct strbuf message = STRBUF_INIT;
	uint64_t sector = 0;

	if (units_parse_u64(word(step, 1), &sector, NULL) < 0)
		return err_set(err, ERR_INPUT, "'%s' is no sector", word(step, 1));
	add_rest(step, 2, &message);
	return dm_message(word(step, 0), sector, message.buf, err);
}

static int do_dm_remove(struct step *step, struct err *err)
{
	CLEANUP(free) char *link = xasprintf("/dev/mapper/%s", word(step, 0));

	(void)unlink(link);
	return dm_remove(word(step, 0), err);
}

static int do_dm_status(struct step *step, struct err *err)
{
	int ret = dm_status(word(step, 0), &step->output, err);

	strbuf_add_char(&step->output, '\n');
	return ret;
}

static int do_echo(struct step *step, struct err *err)
{
	(void)err;
	add_rest(step, 0, &step->output);
	strbuf_add_char(&step->output, '\n');
	return 0;
}

static int do_settle(struct step *step, struct err *err)
{
	(void)step;
	return init_settle(err);
}

static int do_sleep(struct step *step, struct err *err)
{
	uint64_t ns = 0;

	if (units_parse_duration_ns(word(step, 0), &ns, NULL) < 0)
		return err_set(err, ERR_INPUT, "'%s' is no time such as 50ms", word(step, 0));
	(void)clock_sleep_until_ns(clock_now_ns() + ns); /* early is fine */
	return 0;
}

static int do_run(struct step *step, struct err *err)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	size_t nr = json_array_size(step->words);
	CLEANUP(free) const char **argv = xcalloc(nr + 1, sizeof(*argv));
	const struct child_spec spec = { .argv = argv };
	int ret;

	for (size_t i = 0; i < nr; i++)
		argv[i] = word(step, i);
	ret = child_run(&spec, &result, err);
	strbuf_add_str(&step->output, strbuf_str(&result.out));
	if (ret < 0 || result.exit_status == 0)
		return ret;
	strbuf_trim(&result.err);
	return err_set(err, ERR_SYSTEM, "%s: exit status %d: %s", argv[0], result.exit_status,
		       strbuf_str(&result.err));
}

static int do_stack(struct step *step, struct err *err)
{
	struct steps *steps = step->steps;
	const struct stack_context context = { .is_guest = true };
	int ret = work_parse_stack(steps->plan, &steps->stack, err);

	if (ret == 0)
		ret = journal_open(STATE_DIR, &steps->journal, err);
	if (ret == 0)
		ret = stack_build(steps->stack, &context, steps->journal, &steps->built, err);
	for (size_t i = 0; ret == 0 && i < steps->built.nr; i++)
		strbuf_printf(&step->output, "%s: %s\n", steps->built.items[i].layer,
			      steps->built.items[i].path);
	return ret;
}

static int do_job(struct step *step, struct err *err)
{
	const char *text = json_string_value(json_object_get(step->json, "jobs"));
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	const struct setting_list settings = { .nr = 0 };
	struct job_set jobs = { .nr = 0 };
	const struct trial trial = {
		.jobs = &jobs,
		.settings = &settings,
		.seed = step->steps->plan->seed,
		.monitors = step->steps->plan->monitors,
		.state_dir = STATE_DIR "-job",
		.is_guest = true,
	};
	int ret = work_parse_jobs(text ? text : "", &jobs, err);

	if (ret == 0)
		ret = target_local.run(&trial, &result, err);
	if (ret == 0)
		ret = work_report_result(step->steps->report, &result, step->line, err);
	if (ret == 0 && result_nr_failed(&result))
		ret = err_set(err, ERR_SYSTEM, "a job failed: %s", strerror(result_error(&result)));
	job_set_release(&jobs);
	return ret;
}

static int (*const doers[GUEST_STEP_NR_IDS])(struct step *step, struct err *err) = {
	[GUEST_STEP_CAT] = do_cat,
	[GUEST_STEP_DM] = do_dm,
	[GUEST_STEP_DM_MESSAGE] = do_dm_message,
	[GUEST_STEP_DM_REMOVE] = do_dm_remove,
	[GUEST_STEP_DM_STATUS] = do_dm_status,
	[GUEST_STEP_ECHO] = do_echo,
	[GUEST_STEP_JOB] = do_job,
	[GUEST_STEP_LS] = do_ls,
	[GUEST_STEP_MKDIR] = do_mkdir,
	[GUEST_STEP_MODPROBE] = do_modprobe,
	[GUEST_STEP_MOUNT] = do_mount,
	[GUEST_STEP_RUN] = do_run,
	[GUEST_STEP_SETTLE] = do_settle,
	[GUEST_STEP_SLEEP] = do_sleep,
	[GUEST_STEP_STACK] = do_stack,
	[GUEST_STEP_UMOUNT] = do_umount,
	[GUEST_STEP_WRITE] = do_write,
};

/* The words were counted by the host; a plan that was not made by it is refused here. */
static const struct guest_step_kind *step_kind(const struct step *step)
{
	const char *name = json_string_value(json_object_get(step->json, "step"));
	const struct guest_step_kind *kind = name ? guest_step_find(name) : NULL;
	size_t nr = json_array_size(step->words);

	if (!kind || nr < kind->min_words || nr > kind->max_words)
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		if (!word(step, i))
			return NULL;
	}
	return kind;
}

static void report_step(const struct step *step, const struct err *fault)
{
	json_t *object = json_object();

	(void)json_object_set_new(object, "line", json_integer(step->line));
	(void)json_object_set_new(object, "output", report_text_of(strbuf_str(&step->output)));
	if (fault->code)
		(void)json_object_set_new(object, "error", report_text_of(fault->msg));
	report_event(step->steps->report, "step", object);
}

static int run_step(struct steps *steps, const json_t *json, struct err *err)
{
	struct step step = {
		.steps = steps,
		.json = json,
		.words = json_object_get(json, "words"),
		.line = (unsigned)json_integer_value(json_object_get(json, "line")),
	};
	const struct guest_step_kind *kind = step_kind(&step);
	struct err fault = { .code = 0 };
	int ret;

	if (!kind)
		return err_set(err, ERR_INPUT, "guest plan: not a step of this build of regio");
	ret = doers[kind->id](&step, &fault);
	if (ret < 0)
		(void)err_prefix(&fault, "%s:%u: %s",
				 steps->plan->script ? steps->plan->script : "", step.line,
				 kind->name);
	report_step(&step, &fault);
	strbuf_release(&step.output);
	if (ret == 0 || json_is_true(json_object_get(json, "may_fail")))
		return 0;
	*err = fault;
	return ret;
}

int steps_run(const struct guest_plan *plan, const struct report *report, struct err *err)
{
	struct steps steps = { .plan = plan, .report = report };
	const json_t *json;
	size_t i;
	int ret = 0;

	json_array_foreach(plan->steps, i, json)
	{
		ret = run_step(&steps, json, err);
		if (ret < 0)
			break;
	}
	/* the machine ends now: what the stack made needs no way back */
	stack_built_release(&steps.built);
	stack_free(steps.stack);
	return ret;
}

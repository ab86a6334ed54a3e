/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals: the handler sets a flag, nothing else. */
#include "cmd/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/err.h"

#define SIGNALS_UNTIL_URGENT 2
#define SIGNALS_UNTIL_EXIT 3

/* A signal handler can reach nothing but file scope; only this file sees these. */
static atomic_bool is_interrupted;
static atomic_bool is_urgent;
static volatile sig_atomic_t nr_signals;
static volatile sig_atomic_t is_timeout;
static atomic_bool is_status_wanted;

static void on_signal(int signal_nr)
{
	static const char text[] = "\nregio: ended at once; 'regio restore' undoes settings\n";

	(void)signal_nr;
	atomic_store_explicit(&is_interrupted, true, memory_order_relaxed);
	nr_signals++;
	if (nr_signals >= SIGNALS_UNTIL_URGENT)
		atomic_store_explicit(&is_urgent, true, memory_order_relaxed);
	if (nr_signals < SIGNALS_UNTIL_EXIT)
		return;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(ERR_SYSTEM);
	_exit(ERR_INTERRUPTED);
}

static void on_alarm(int signal_nr)
{
	(void)signal_nr;
	if (nr_signals == 0)
		is_timeout = 1;
	atomic_store_explicit(&is_interrupted, true, memory_order_relaxed);
}

const atomic_bool *interrupt_urgent(void)
{
	return &is_urgent;
}

const atomic_bool *interrupt_install(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct sigaction before;

		/* valid signals: no call can fail */
		(void)sigaction(signals[i], NULL, &before);
		/* nohup(1) wants it; SIGINT no: shells ignore it for every job behind & */
		if (signals[i] != SIGHUP || before.sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &action, NULL);
	}
	(void)sigaction(SIGPIPE, &ignore, NULL);
	return &is_interrupted;
}

void interrupt_after(uint64_t ns)
{
	struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval timer = {
		.it_value = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_usec = (suseconds_t)(ns % 1000000000 / 1000) },
	};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGALRM, &action, NULL); /* a valid signal: cannot fail */
	(void)setitimer(ITIMER_REAL, &timer, NULL);
}

bool interrupt_is_timeout(void)
{
	return is_timeout;
}

static void on_status_signal(int signal_nr)
{
	(void)signal_nr;
	atomic_store_explicit(&is_status_wanted, true, memory_order_relaxed);
}

atomic_bool *interrupt_status_wanted(void)
{
	struct sigaction action = { .sa_handler = on_status_signal, .sa_flags = SA_RESTART };

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGUSR1, &action, NULL);
	return &is_status_wanted;
}

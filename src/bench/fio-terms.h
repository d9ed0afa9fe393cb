/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every section of a job file ends with, whoever wrote it. Not for other folders. */
#ifndef IOSCHED_BENCH_FIO_TERMS_H
#define IOSCHED_BENCH_FIO_TERMS_H

#include "bench/fio-job.h"

/* `runtime_ns`: the job's own limit; 0: none. */
void fio_terms_add(const struct fio_terms *terms, uint64_t runtime_ns, struct text *out);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which scheduler of the engine has which parameter, and what to say where none has. */
#include "cmd/simulate-parameter.h"

#include <string.h>

#include "util/i18n.h"
#include "util/suggest.h"
#include "util/text.h"

bool simulate_has_parameter(const struct sim_elevator_ops *ops, const char *file)
{
	for (size_t i = 0; ops && i < ops->parameter_count; i++) {
		if (strcmp(ops->parameters[i].file, file) == 0)
			return true;
	}
	return false;
}

/* "mq-deadline, deadline" */
static void add_owners(const char *file, struct text *out)
{
	const struct sim_elevator_ops *ops;

	for (size_t i = 0; (ops = sim_elevator_get(i)); i++) {
		if (simulate_has_parameter(ops, file))
			text_addf(out, "%s%s", out->len ? ", " : "", ops->name);
	}
}

/* "kyber: read_lat_nsec, write_lat_nsec" */
static void add_parameters(const struct sim_elevator_ops *ops, struct text *out)
{
	text_addf(out, "%s%s: ", out->len ? "; " : "", ops->name);
	for (size_t i = 0; i < ops->parameter_count; i++)
		text_addf(out, "%s%s", i ? ", " : "", ops->parameters[i].file);
}

/* Of the owner; where there is no such scheduler those that today's kernels have. */
static void hint_all(struct diag *diag, const struct sim_elevator_ops *owner)
{
	const struct sim_elevator_ops *ops;
	_text_ struct text list = { 0 };

	for (size_t i = 0; (ops = sim_elevator_get(i)); i++) {
		if (ops->parameter_count && (owner ? ops == owner : ops->kind == QUEUE_MQ))
			add_parameters(ops, &list);
	}
	if (list.data && !list.error)
		diag_hint(diag, _("there are: %s"), list.data);
}

void simulate_hint_parameter(struct diag *diag, const char *owner, const char *file)
{
	const struct sim_elevator_ops *named = owner ? sim_elevator_find(owner) : NULL, *ops;
	struct suggestion suggestion = suggestion_for(file);
	_text_ struct text owners = { 0 };

	add_owners(file, &owners);
	if (owners.data && !owners.error) {
		diag_hint(diag, _("%s is a parameter of %s"), file, owners.data);
		return;
	}
	for (size_t i = 0; (ops = sim_elevator_get(i)); i++) {
		for (size_t j = 0; j < ops->parameter_count; j++)
			if (!named || ops == named)
				suggestion_offer(&suggestion, ops->parameters[j].file);
	}
	if (!suggestion.nearest) {
		hint_all(diag, named);
		return;
	}
	add_owners(suggestion.nearest, &owners);
	if (owners.data && !owners.error)
		diag_hint(diag, _("did you mean '%s'? It is a parameter of %s"),
			  suggestion.nearest, owners.data);
}

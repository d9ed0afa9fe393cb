// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Typed members of a profile's JSON objects, each error with its line and key.
 */
#include "policy/profile-reader.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <string.h>

#include "util/i18n.h"
#include "util/suggest.h"

int reader_fail(const struct reader *reader, const json_t *object, const char *key,
		int error, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_set(reader->diag, error, "%s", text);
	return reader_at(reader, object, key, error);
}

int reader_at(const struct reader *reader, const json_t *object, const char *key,
	      int error)
{
	diag_at(reader->diag, reader->document->name,
		json_document_line(reader->document, object, key));
	return error;
}

void profile_mistakes_add(struct profile_mistakes *mistakes, const struct diag *diag)
{
	if (mistakes->count < PROFILE_MISTAKE_MAX)
		mistakes->items[mistakes->count++] = *diag;
	else
		mistakes->more++;
}

int reader_go_on(const struct reader *reader, int error)
{
	if (!error || error == -ENOMEM || !reader->mistakes)
		return error;
	profile_mistakes_add(reader->mistakes, reader->diag);
	*reader->diag = (struct diag){ 0 };
	return 0;
}

size_t reader_count_mistakes(const struct reader *reader)
{
	return reader->mistakes ? reader->mistakes->count + reader->mistakes->more : 0;
}

static bool is_listed(const struct reader_keys *keys, const char *key)
{
	for (size_t i = 0; i < keys->count; i++)
		if (!strcmp(keys->names[i], key))
			return true;
	return false;
}

static void hint_known(struct diag *diag, const struct reader_keys *keys, const char *key)
{
	struct suggestion suggestion = suggestion_for(key);
	_text_ struct text known = { 0 };

	for (size_t i = 0; i < keys->count; i++)
		suggestion_offer(&suggestion, keys->names[i]);
	if (suggestion.nearest) {
		diag_hint(diag, _("did you mean \"%s\"?"), suggestion.nearest);
		return;
	}
	for (size_t i = 0; i < keys->count; i++)
		text_addf(&known, "%s%s", i ? ", " : "", keys->names[i]);
	if (known.data)
		diag_hint(diag, _("known here: %s"), known.data);
}

int reader_check_keys(const struct reader *reader, const json_t *object,
		      const struct reader_keys *keys)
{
	json_t *iterable = (json_t *)(uintptr_t)object; /* jansson reads only */
	const char *key;
	json_t *value;
	int error = 0;

	json_object_foreach(iterable, key, value)
	{
		if (is_listed(keys, key))
			continue;
		error = reader_fail(reader, object, key, -EINVAL, _("unknown key \"%s\""),
				    key);
		hint_known(reader->diag, keys, key);
		error = reader_go_on(reader, error);
		if (error)
			break;
	}
	return error;
}

int reader_get_object(const struct reader *reader, const json_t *object, const char *key,
		      const json_t **ret)
{
	const json_t *value = json_object_get(object, key);

	if (value && !json_is_object(value))
		return reader_fail(reader, object, key, -EINVAL,
				   _("\"%s\" is not an object"), key);
	*ret = value;
	return 0;
}

/* A string with something in it and not too long. */
static bool is_word(const json_t *value, size_t max)
{
	return json_is_string(value) && json_string_length(value) > 0 &&
	       json_string_length(value) <= max;
}

int reader_get_word(const struct reader *reader, const json_t *object, const char *key,
		    const char **ret)
{
	const json_t *value = json_object_get(object, key);

	if (value && !is_word(value, READER_WORD_MAX))
		return reader_fail(reader, object, key, -EINVAL,
				   _("\"%s\" is not a string of 1 to %d bytes"), key,
				   READER_WORD_MAX);
	*ret = value ? json_string_value(value) : NULL;
	return 0;
}

static int add_words(const struct reader *reader, const json_t *object, const char *key,
		     const json_t *list, struct strv *ret)
{
	size_t count = json_array_size(list);

	if (!count || count > READER_LIST_MAX)
		return reader_fail(reader, object, key, -EINVAL,
				   _("\"%s\" must hold 1 to %d strings"), key,
				   READER_LIST_MAX);
	for (size_t i = 0; i < count; i++) {
		const json_t *item = json_array_get(list, i);
		int error;

		if (!is_word(item, READER_WORD_MAX)) {
			diag_set(reader->diag, -EINVAL,
				 _("\"%s\" holds something that is not a string of 1 to "
				   "%d "
				   "bytes"),
				 key, READER_WORD_MAX);
			diag_at(reader->diag, reader->document->name,
				json_document_line_at(reader->document, list, i));
			return -EINVAL;
		}
		error = strv_add(ret, json_string_value(item));
		if (error)
			return error;
	}
	return 0;
}

int reader_get_words(const struct reader *reader, const json_t *object, const char *key,
		     struct strv *ret)
{
	const json_t *value = json_object_get(object, key);
	const char *word;
	int error;

	if (!value)
		return 0;
	if (json_is_array(value))
		return add_words(reader, object, key, value, ret);
	if (!json_is_string(value))
		return reader_fail(reader, object, key, -EINVAL,
				   _("\"%s\" is neither a string nor a list of strings"),
				   key);
	error = reader_get_word(reader, object, key, &word);
	return error ? error : strv_add(ret, word);
}

/* "en", "zh_CN": two or three small letters, and a territory if there is one. */
static bool is_language(const char *key)
{
	size_t len = strspn(key, "abcdefghijklmnopqrstuvwxyz");

	if (len < 2 || len > 3)
		return false;
	key += len;
	return !*key || (*key == '_' && isupper((unsigned char)key[1]) &&
			 isupper((unsigned char)key[2]) && !key[3]);
}

bool reader_is_text(const json_t *value)
{
	json_t *iterable = (json_t *)(uintptr_t)value; /* jansson reads only */
	const char *key;
	json_t *item;

	if (json_is_string(value))
		return json_string_length(value) <= READER_TEXT_MAX;
	if (!json_is_object(value) || !json_object_size(value))
		return false;
	json_object_foreach(iterable, key,
			    item) if (!is_language(key) ||
				      !is_word(item, READER_TEXT_MAX)) return false;
	return true;
}

const char *reader_choose_language(const json_t *texts, const char *locale)
{
	char name[16] = "";
	const json_t *found;

	if (locale)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(locale, ".@"), locale);
	found = json_object_get(texts, name);
	if (!found) {
		name[strcspn(name, "_")] = '\0';
		found = json_object_get(texts, name);
	}
	if (!found)
		found = json_object_get(texts, "en");
	if (!found)
		found = json_object_iter_value(
			json_object_iter((json_t *)(uintptr_t)texts));
	return json_string_value(found);
}

/* That of the program's own texts, which LANGUAGE may have chosen; else the locale's. */
static const char *language_of_person(void)
{
	/* TRANSLATORS: the code of your language, such as de or zh_CN. */
	const char *code = _("en");

	return strcmp(code, "en") ? code : setlocale(LC_MESSAGES, NULL);
}

int reader_get_text(const struct reader *reader, const json_t *object, const char *key,
		    char **ret)
{
	const json_t *value = json_object_get(object, key);
	const char *string;
	char *copy;

	if (!value) {
		*ret = NULL;
		return 0;
	}
	if (!reader_is_text(value)) {
		reader_fail(reader, object, key, -EINVAL,
			    _("\"%s\" is not a text of at most %d bytes"), key,
			    READER_TEXT_MAX);
		diag_hint(reader->diag,
			  _("a text is a string, or an object with a string for "
			    "each language: {\"en\": \"...\"}"));
		return -EINVAL;
	}
	string = json_is_string(value)
			 ? json_string_value(value)
			 : reader_choose_language(value, language_of_person());
	if (!string || !string[strspn(string, " \t\n")])
		return reader_fail(reader, object, key, -EINVAL, _("\"%s\" is empty"), key);
	copy = strdup(string);
	if (!copy)
		return -ENOMEM;
	*ret = copy;
	return 0;
}

int reader_get_bool(const struct reader *reader, const json_t *object, const char *key,
		    int *ret)
{
	const json_t *value = json_object_get(object, key);

	if (value && !json_is_boolean(value))
		return reader_fail(reader, object, key, -EINVAL,
				   _("\"%s\" is neither true nor false"), key);
	*ret = value ? json_is_true(value) : -1;
	return 0;
}

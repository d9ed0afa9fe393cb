// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Serial numbers out of text: the known ones in every spelling, what looks like one, and
 * ordinary text left as it is.
 */
#include "test.h"

#include "device/redact.h"

static void assert_redacted(const struct redactor *redactor, const char *string,
			    bool by_form, const char *want)
{
	_text_ struct text text = { 0 };

	redactor_add_text(redactor, string, by_form, &text);
	text_add(&text, "");
	assert_string_equal(text.data, want);
}

static void test_known_secrets_in_every_spelling(void **state)
{
	struct redactor redactor = { 0 };

	(void)state;
	assert_int_equal(redactor_add(&redactor, " AB C123456 "), 0);
	assert_int_equal(redactor_add(&redactor, "naa.5000c5001234"), 0);
	assert_int_equal(redactor_add(&redactor, "AB C1234567890"), 0);
	redactor_seal(&redactor);
	assert_redacted(&redactor, "x AB C123456 y", false, "x REDACTED y");
	assert_redacted(&redactor, "ata-Model_AB_C123456-part1", false,
			"ata-Model_REDACTED-part1");
	assert_redacted(&redactor, "ab c123456", false, "REDACTED");
	assert_redacted(&redactor, "AB C1234567890", false, "REDACTED");
	assert_redacted(&redactor, "wwn-0x5000c5001234", false, "wwn-0xREDACTED");
	assert_redacted(&redactor, "naa.5000C5001234", false, "REDACTED");
	redactor_done(&redactor);
}

/* "Example" as a serial number would take the model's name away. */
static void test_short_and_wordlike_ones_are_not_kept(void **state)
{
	struct redactor redactor = { 0 };

	(void)state;
	assert_int_equal(redactor_add(&redactor, "Example"), 0);
	assert_int_equal(redactor_add(&redactor, "12345"), 0);
	assert_int_equal(redactor_add(&redactor, ""), 0);
	assert_int_equal(redactor.secrets.count, 0);
	assert_redacted(&redactor, "Example 12345", true, "Example 12345");
	redactor_done(&redactor);
}

static void test_forms(void **state)
{
	const struct redactor none = { 0 };

	(void)state;
	assert_redacted(&none, "root=UUID=01234567-89ab-cdef-0123-456789ABCDEF ro", true,
			"root=UUID=REDACTED ro");
	assert_redacted(&none, "x 0123456789abcdef0 y", true, "x REDACTED y");
	assert_redacted(&none, "x 0123456789abcde y", true, "x 0123456789abcde y");
	assert_redacted(&none, "01234567-89ab-cdef-0123-456789abcde", true,
			"01234567-89ab-cdef-0123-456789abcde");
	assert_redacted(&none, "18446744073709551615", false, "18446744073709551615");
	assert_redacted(&none, "", true, "");
}

static void test_names_that_hold_secrets(void **state)
{
	(void)state;
	assert_true(redact_is_secret_file("serial"));
	assert_true(redact_is_secret_file("wwid"));
	assert_true(redact_is_secret_file("cid"));
	assert_false(redact_is_secret_file("model"));
	assert_false(redact_is_secret_file("size"));
	assert_true(redact_is_secret_property("ID_SERIAL_SHORT"));
	assert_true(redact_is_secret_property("ID_WWN_WITH_EXTENSION"));
	assert_true(redact_is_secret_property("ID_PART_TABLE_UUID"));
	assert_false(redact_is_secret_property("ID_MODEL"));
	assert_false(redact_is_secret_property("ID_PATH"));
}

static void assert_dm_uuid(const char *uuid, const char *want)
{
	_text_ struct text text = { 0 };

	redact_add_dm_uuid(uuid, &text);
	text_add(&text, "");
	assert_string_equal(text.data, want);
}

static void test_dm_uuid_keeps_its_prefix(void **state)
{
	(void)state;
	assert_dm_uuid("LVM-abcdef", "LVM-REDACTED");
	assert_dm_uuid("CRYPT-LUKS2-0123-home", "CRYPT-REDACTED");
	assert_dm_uuid("mpath-3600", "mpath-REDACTED");
	assert_dm_uuid("part1-mpath-3600", "part1-mpath-REDACTED");
	assert_dm_uuid("noprefix", "REDACTED");
	assert_dm_uuid("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_secrets_in_every_spelling),
		cmocka_unit_test(test_short_and_wordlike_ones_are_not_kept),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_names_that_hold_secrets),
		cmocka_unit_test(test_dm_uuid_keeps_its_prefix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

"""No log line carries a token."""

import io
import logging
import unittest

from appdecl import Gate, RedactingFilter

from paper import RUNNING, TOKEN, Paper


class Logs(unittest.TestCase):
    def setUp(self):
        self.text = io.StringIO()
        self.handler = logging.StreamHandler(self.text)
        self.handler.setFormatter(logging.Formatter("%(name)s %(message)s %(extra_word)s",
                                                    defaults={"extra_word": ""}))
        self.log = logging.Logger("test")
        self.log.addHandler(self.handler)
        self.redactor = RedactingFilter(self.handler)

    def test_a_token_is_masked_in_every_part_of_a_record(self):
        gate = Gate(host=Paper(), redactor=self.redactor.redact)
        gate.register("acme", RUNNING)
        self.assertEqual(gate.endpoint("acme").token.reveal(), TOKEN)
        self.log.warning("plain %s", TOKEN)
        self.log.warning(f"in the text {TOKEN}")
        self.log.warning("in a list %s", [TOKEN])
        self.log.warning("arguments that do not fit %d", TOKEN)
        self.log.warning("more", extra={"extra_word": f"<{TOKEN}>"})
        self.log.warning("deep", extra={"extra_word": {"a": [TOKEN, (TOKEN,)]}})
        try:
            raise ValueError(TOKEN)
        except ValueError:
            self.log.exception("raised")
        written = self.text.getvalue()
        self.assertNotIn(TOKEN, written)
        self.assertEqual(written.count("***"), 7)
        self.assertIn("ValueError", written)

    def test_a_secret_within_a_secret_leaves_nothing_of_either(self):
        self.redactor.redact("abc")
        self.redactor.redact("xabcx")
        self.log.warning("xabcx abc")
        self.assertIn("*** ***", self.text.getvalue())

    def test_a_filter_that_guards_nothing_promises_nothing(self):
        self.assertFalse(RedactingFilter().redact("x"))

    def test_what_can_not_be_kept_is_not_promised(self):
        answers = [self.redactor.redact(f"secret-{number}") for number in range(4097)]
        self.assertEqual(answers, [True] * 4096 + [False])
        self.assertTrue(self.redactor.redact("secret-7"))


if __name__ == "__main__":
    unittest.main()

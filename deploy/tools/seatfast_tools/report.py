"""The result of a list of checks, for people or for machines."""

import json
import time
from contextlib import contextmanager
from datetime import datetime, timezone

from .client import NoAnswer

PASS, FAIL, NOT_EVIDENCE, BAD_USAGE = 0, 1, 2, 64
VERDICTS = {PASS: "PASS", FAIL: "FAIL", NOT_EVIDENCE: "NOT EVIDENCE"}
DETAIL_CHARACTERS_MAX = 600
PROBLEMS_SHOWN_MAX = 3


class NotEvidence(Exception):
    """Something could not be asked, so that nothing is known about it."""


class Report:
    """Collects the checks. It prints each at once, or as `quiet` one JSON document at the end."""

    OK, FAILED, UNPROVEN, NOTE = "ok", "FAIL", "NOT EVIDENCE", "note"

    def __init__(self, subject, quiet, secret=None):
        self.subject, self.quiet, self.secret = subject, quiet, secret
        self.checks = []
        self.started, self._clock = datetime.now(timezone.utc), time.monotonic()

    def add(self, result, name, detail):
        # Text from a server must neither control the terminal nor reveal the token.
        detail = "".join(c if c.isprintable() else " " for c in str(detail))
        if self.secret:
            detail = detail.replace(self.secret, "***")
        detail = detail[:DETAIL_CHARACTERS_MAX]
        self.checks.append({"name": name, "result": result, "detail": detail})
        if not self.quiet:
            print(f"{result:<5} {name:<18} {detail}", flush=True)

    def note(self, name, detail):
        self.add(self.NOTE, name, detail)

    def judge(self, name, problems, detail):
        """Adds one check, which failed if there are problems. `detail` describes its success."""
        shown = "; ".join(problems[:PROBLEMS_SHOWN_MAX])
        if len(problems) > PROBLEMS_SHOWN_MAX:
            shown += f"; and {len(problems) - PROBLEMS_SHOWN_MAX} more"
        self.add(self.FAILED if problems else self.OK, name, shown if problems else detail)
        return not problems

    @contextmanager
    def guard(self, name):
        """Turns an exception that stops a check half way into the result of that check."""
        try:
            yield
        except NoAnswer as fault:
            self.add(self.FAILED, name, fault)
        except NotEvidence as fault:
            self.add(self.UNPROVEN, name, fault)

    def code(self):
        """The exit code so far: PASS, FAIL or NOT_EVIDENCE."""
        results = {check["result"] for check in self.checks}
        if self.FAILED in results:
            return FAIL
        return NOT_EVIDENCE if self.UNPROVEN in results or self.OK not in results else PASS

    def finish(self, url):
        """Prints the verdict and returns the exit code."""
        code = self.code()
        if self.quiet:
            print(json.dumps(self._document(code, url), indent=2))
        else:
            print(f"\n{VERDICTS[code]}: {self.subject}")
            for check in self.checks:
                if check["result"] in (self.FAILED, self.UNPROVEN):
                    print(f"{check['result']}: {check['name']}: {check['detail']}")
        return code

    def _document(self, code, url):
        ok = {self.OK: True, self.FAILED: False}
        return {
            "verdict": VERDICTS[code],
            "subject": self.subject,
            "url": url,
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": round(time.monotonic() - self._clock, 2),
            "checks": [{"name": c["name"], "ok": ok.get(c["result"]), **c} for c in self.checks],
        }

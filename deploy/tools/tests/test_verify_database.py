"""Schemas with a tombstone, with something left, and databases that cannot be asked."""

import os
import shutil
import socket
import subprocess
import unittest

from seatfast_tools.waiting import Deadline

from . import postgres_server
from .postgres_server import PASSWORD, Postgres
from .support import DeletedTest, verify

TOMBSTONE = (
    "CREATE TABLE {0}.tombstone (deleted_at timestamptz NOT NULL, deleted_by text NOT NULL);"
)
ONE_ROW = "INSERT INTO {0}.tombstone VALUES (now(), '1.0');"
LEFTOVERS = {
    "table": "CREATE TABLE {0}.seat_pool (pool_key text PRIMARY KEY)",
    "view": "CREATE VIEW {0}.v AS SELECT 1 AS one",
    "materialized view": "CREATE MATERIALIZED VIEW {0}.v AS SELECT 1 AS one",
    "sequence": "CREATE SEQUENCE {0}.s",
    "function": "CREATE FUNCTION {0}.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "function named like the tombstone": "CREATE FUNCTION {0}.tombstone() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "procedure": "CREATE PROCEDURE {0}.p() LANGUAGE sql AS 'SELECT 1'",
    "aggregate": "CREATE AGGREGATE {0}.a(int) (SFUNC = int4pl, STYPE = int)",
    "enum": "CREATE TYPE {0}.t AS ENUM ('a')",
    "composite type": "CREATE TYPE {0}.t AS (a int)",
    "domain": "CREATE DOMAIN {0}.d AS int",
    "operator": "CREATE OPERATOR {0}.@@@ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl)",
    "collation": 'CREATE COLLATION {0}.c FROM "C"',
    "text search": "CREATE TEXT SEARCH CONFIGURATION {0}.t (COPY = simple)",
    "statistics": "CREATE STATISTICS {0}.s ON deleted_at, deleted_by FROM {0}.tombstone",
    "default privileges": "ALTER DEFAULT PRIVILEGES IN SCHEMA {0} GRANT SELECT ON TABLES TO PUBLIC",
}


@unittest.skipIf(postgres_server.why_not(), postgres_server.why_not() or "")
class DatabaseTest(DeletedTest):
    @classmethod
    def setUpClass(cls):
        cls.postgres = Postgres()
        cls.addClassCleanup(cls.postgres.stop)
        cls.postgres.start()
        cls.schemas = 0

    def schema(self, *statements):
        """A schema of its own, in which {0} is its name."""
        type(self).schemas += 1
        name = f"seatfast_{self.schemas}"
        self.postgres.execute(
            "\n".join(s.format(name) + ";" for s in ("CREATE SCHEMA {0}", *statements))
        )
        return name

    def prove(self, schema, *options, url=None, **environment):
        return verify(
            "deleted",
            "--database",
            url or self.postgres.url(),
            "--namespace",
            schema,
            "--json",
            "--timeout",
            20,
            *options,
            **{"PGPASSWORD": PASSWORD, **environment},
        )

    def test_the_tombstone_alone_passes(self):
        outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW))
        self.assert_verdict(outcome, 0)
        self.assertIn("by 1.0", outcome.detail("database-tombstone"))
        self.assertIn("as owner", outcome.detail("database-login"))

    def test_says_so_in_lines(self):
        schema = self.schema(TOMBSTONE, ONE_ROW)
        words = ["deleted", "--database", self.postgres.url(), "--namespace", schema]
        self.assertTrue(verify(*words, PGPASSWORD=PASSWORD).output.endswith("\nPASS: deleted\n"))
        refused = verify(*words, PGPASSWORD="wrong").output
        self.assertIn("\nNOT EVIDENCE: deleted\nNOT EVIDENCE: database: psql: ", refused)
        self.assertNotIn("PASS", refused)

    def test_a_password_may_come_from_a_file(self):
        path = self.path("pgpass", f"*:*:*:owner:{PASSWORD}\n")
        os.chmod(path, 0o600)
        self.assert_verdict(
            self.prove(self.schema(TOMBSTONE, ONE_ROW), PGPASSWORD=None, PGPASSFILE=path), 0
        )

    def test_the_tombstone_may_have_an_index_of_its_own(self):
        key = "ALTER TABLE {0}.tombstone ADD PRIMARY KEY (deleted_by)"
        self.assert_verdict(self.prove(self.schema(TOMBSTONE, ONE_ROW, key)), 0)

    def test_a_schema_named_like_a_keyword_is_found(self):
        self.postgres.execute('CREATE SCHEMA "user";' + (TOMBSTONE + ONE_ROW).format('"user"'))
        self.assert_verdict(self.prove("user"), 0)

    def test_a_leftover_of_any_kind_fails(self):
        for kind, statement in LEFTOVERS.items():
            with self.subTest(kind):
                outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW, statement))
                self.assert_verdict(outcome, 1, "database-schema")
                self.assertIn("still there: ", outcome.detail("database-schema"))

    def test_a_missing_schema_fails(self):
        outcome = self.prove("seatfast_of_nobody")
        self.assert_verdict(outcome, 1, "database-schema")
        self.assertIn("no such schema, hence no tombstone", outcome.detail("database-schema"))

    def test_no_tombstone_fails(self):
        self.assert_verdict(self.prove(self.schema()), 1, "database-schema")

    def test_a_tombstone_of_another_form_fails(self):
        for kind, statement in {
            "view": "CREATE VIEW {0}.tombstone AS SELECT now() AS deleted_at, text '1.0' AS deleted_by",
            "unlogged": TOMBSTONE.replace("TABLE", "UNLOGGED TABLE") + ONE_ROW,
            "wrong type": "CREATE TABLE {0}.tombstone (deleted_at timestamp, deleted_by text);"
            + ONE_ROW,
            "wrong column": "CREATE TABLE {0}.tombstone (deleted_at timestamptz, version text);"
            + ONE_ROW,
            "one more column": TOMBSTONE + ONE_ROW + "ALTER TABLE {0}.tombstone ADD note text",
        }.items():
            with self.subTest(kind):
                outcome = self.prove(self.schema(statement))
                self.assertEqual(outcome.code, 1, outcome.output)
                self.assertIn("database-schema", outcome.named("FAIL"))

    def test_a_tombstone_without_its_one_row_fails(self):
        nullable = TOMBSTONE.replace(" NOT NULL", "")
        for kind, statements in {
            "empty": [TOMBSTONE],
            "two rows": [TOMBSTONE, ONE_ROW, ONE_ROW],
            "by nobody": [nullable, "INSERT INTO {0}.tombstone VALUES (now(), NULL)"],
            "at no time": [nullable, "INSERT INTO {0}.tombstone VALUES (NULL, '1.0')"],
        }.items():
            with self.subTest(kind):
                self.assert_verdict(self.prove(self.schema(*statements)), 1, "database-tombstone")

    def test_what_a_login_may_not_read_is_no_evidence(self):
        self.postgres.execute(f"CREATE USER stranger PASSWORD '{PASSWORD}'")
        url = self.postgres.url("stranger")
        outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW), url=url)
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("permission denied", outcome.detail("database"))
        hidden = self.schema(
            TOMBSTONE,
            ONE_ROW,
            ONE_ROW,
            "GRANT USAGE ON SCHEMA {0} TO stranger",
            "GRANT SELECT ON {0}.tombstone TO stranger",
            "ALTER TABLE {0}.tombstone ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY one ON {0}.tombstone USING (ctid = '(0,1)')",
        )
        self.assert_verdict(self.prove(hidden, url=url), 2, "database")
        # Catalogs are readable by all: a leftover is seen even so.
        outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW, LEFTOVERS["table"]), url=url)
        self.assert_verdict(outcome, 1, "database", "database-schema")

    def test_a_login_that_fails_is_no_evidence(self):
        schema = self.schema(TOMBSTONE, ONE_ROW)
        self.assert_verdict(self.prove(schema, PGPASSWORD="wrong"), 2, "database")
        self.assert_verdict(self.prove(schema, PGPASSWORD=None, HOME=self.folder), 2, "database")

    def test_a_wrong_port_is_no_evidence(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = self.postgres.url(port=unused.getsockname()[1])
            self.assert_verdict(self.prove("seatfast", url=url), 2, "database")

    def test_a_lock_that_is_held_is_no_evidence_in_time(self):
        schema = self.schema(TOMBSTONE, ONE_ROW)
        locked = f"BEGIN; LOCK TABLE {schema}.tombstone; SELECT pg_sleep(30);"
        holder = subprocess.Popen(
            ["psql", "-X", "-w", "-q", f"--dbname={self.postgres.url()}", "-c", locked],
            env={**os.environ, "PGPASSWORD": PASSWORD},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(lambda: (holder.kill(), holder.wait()))
        held = f"SELECT count(*) FROM pg_locks WHERE relation = '{schema}.tombstone'::regclass AND granted"
        self.assertTrue(
            any(self.postgres.execute(held) == "1" for _ in Deadline(20).rounds(pause=0.02))
        )
        outcome = self.prove(schema, "--timeout", 4)
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("statement timeout", outcome.detail("database"))


class DatabaseProgramTest(DeletedTest):
    def prove(self, port, timeout=2, **environment):
        url = f"host=127.0.0.1 port={port} user=owner dbname=postgres"
        return verify("deleted", "--database", url, "--json", "--timeout", timeout, **environment)

    def test_a_missing_psql_is_no_evidence(self):
        outcome = self.prove(1, PATH=self.folder)
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("cannot run psql", outcome.detail("database"))

    @unittest.skipUnless(shutil.which("psql"), "no psql is installed")
    def test_a_server_that_hangs_is_no_evidence_in_time(self):
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            outcome = self.prove(server.getsockname()[1], timeout=4)
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("timeout", outcome.detail("database"))

    def test_a_psql_that_says_nothing_or_nonsense_is_no_evidence(self):
        for output in ("exit 0", "echo hello", "echo '[]'", "exit 3"):
            with self.subTest(output):
                self.program("psql", f"cat > /dev/null\n{output}")
                outcome = self.prove(1, PATH=self.search_path())
                self.assert_verdict(outcome, 2, "database")

    @unittest.skipUnless(os.path.isdir("/proc/self"), "there is no /proc to see processes in")
    def test_a_psql_that_hangs_is_ended_with_its_children(self):
        pid = self.path("pid")
        self.program("psql", f"sleep 60 &\necho $! > {pid}\nwait")
        outcome = self.prove(1, PATH=self.search_path())
        self.assert_verdict(outcome, 2, "database")
        with open(pid, encoding="ascii") as file:
            child = file.read().strip()
        try:
            with open(f"/proc/{child}/stat", encoding="ascii") as file:
                state = file.read().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return
        self.assertEqual(
            state, "Z", "the child still runs"
        )  # a zombie that nobody has collected yet

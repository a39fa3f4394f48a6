"""Proves by a look into the database that a namespace is deleted for good."""

import json

from ..report import NotEvidence
from .contract import is_text
from .programs import run_program

# pg_depend lists the objects in a schema, of every kind. All users can read it, whatever their rights
# on the schema. The tombstone's own types and indexes depend on the tombstone and not on the schema.
# Rows that a policy hides must be an error, not an empty table.
SCRIPT = """
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL statement_timeout = '%(milliseconds)d';
SET LOCAL row_security = off;
SELECT jsonb_build_object(
  'user', current_user,
  'database', current_database(),
  'schema', EXISTS (SELECT FROM pg_namespace WHERE nspname = '%(schema)s'),
  'kind', (SELECT concat(c.relkind, c.relpersistence) FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '%(schema)s' AND c.relname = 'tombstone'),
  'columns', (SELECT jsonb_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)) FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '%(schema)s' AND c.relname = 'tombstone' AND a.attnum > 0 AND NOT a.attisdropped),
  'others', (SELECT jsonb_agg(DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid)) FROM pg_depend d
    JOIN pg_namespace n ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid
    LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
    WHERE n.nspname = '%(schema)s' AND c.relname IS DISTINCT FROM 'tombstone'));
SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = '%(schema)s' AND c.relname = 'tombstone' AND c.relkind = 'r') AS has_tombstone \\gset
\\if :has_tombstone
SELECT jsonb_agg(to_jsonb(t)) FROM (SELECT * FROM "%(schema)s".tombstone LIMIT 2) t;
\\endif
COMMIT;
"""
PSQL = ["psql", "-X", "-w", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1"]
TOMBSTONE_COLUMNS = {"deleted_at": "timestamp with time zone", "deleted_by": "text"}
ORDINARY_DURABLE_TABLE = "rp"
STATEMENT_SECONDS_MAX = 10


def prove_database(database, namespace, deadline, report):
    """A login that works sees the tombstone, and nothing besides it."""
    # Half of the time, so that psql and the server end by themselves and can say why.
    seconds = max(2, int(min(STATEMENT_SECONDS_MAX, deadline.remaining() / 2)))
    script = SCRIPT % {"schema": namespace, "milliseconds": seconds * 1000}
    command, environment = [*PSQL, f"--dbname={database}"], {"PGCONNECT_TIMEOUT": str(seconds)}
    code, output, errors = run_program(command, deadline, script, environment)
    lines = output.splitlines()
    try:
        found = json.loads(lines[0])
        rows = json.loads(lines[1] or "[]") if len(lines) > 1 else None
        login = f"as {found['user']} to the database {found['database']}"
    except (ValueError, IndexError, TypeError, KeyError):
        raise NotEvidence(f"psql: {errors or f'unexpected output: {output[:200]}'}") from None
    report.note("database-login", login)
    report.judge(
        "database-schema", schema_problems(found), f"{namespace} holds the tombstone alone"
    )
    if found["kind"] != ORDINARY_DURABLE_TABLE:
        return
    if code != 0 or rows is None:
        raise NotEvidence(f"cannot read the tombstone: {errors or f'psql ended with {code}'}")
    intact = len(rows) == 1 and all(is_text(rows[0].get(column)) for column in TOMBSTONE_COLUMNS)
    report.judge(
        "database-tombstone",
        [] if intact else [f"must hold one row that says when and by what: {json.dumps(rows)}"],
        f"deleted at {rows[0]['deleted_at']} by {rows[0]['deleted_by']}" if intact else "",
    )


def schema_problems(found):
    if not found["schema"]:
        return [
            "there is no such schema, hence no tombstone: nothing keeps an old instance from creating it again"
        ]
    problems = [f"still there: {other}" for other in found["others"] or []]
    if found["kind"] is None:
        problems.append("there is no tombstone")
    elif found["kind"] != ORDINARY_DURABLE_TABLE:
        problems.append("the tombstone is not an ordinary, durable table")
    elif found["columns"] != TOMBSTONE_COLUMNS:
        problems.append(f"the tombstone has other columns: {json.dumps(found['columns'])}")
    return problems

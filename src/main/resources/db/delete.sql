-- The last step of the transaction that deletes a namespace: puts up the tombstone, and closes the
-- schema, of which nothing is left by then. Doing it again changes nothing that can be seen.
-- The setting seatfast.deleted_by, of this transaction, says who does it, with which version of the
-- program.

DO $$
DECLARE
    v_role text;
    v_command text;
BEGIN
    IF to_regnamespace('{schema}') IS NULL THEN
        CREATE SCHEMA {schema};
    END IF;
    IF to_regclass('{schema}.tombstone') IS NULL THEN
        CREATE TABLE {schema}.tombstone (
            deleted_at timestamptz NOT NULL DEFAULT now(),
            deleted_by text        NOT NULL
        );
        INSERT INTO {schema}.tombstone (deleted_by)
        VALUES (current_setting('seatfast.deleted_by'));
    END IF;

    -- What was granted on tables to come, none of which will.
    FOR v_command IN
        SELECT DISTINCT format(
                   'ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %s REVOKE ALL ON %s FROM %s',
                   o.rolname, n.oid::regnamespace,
                   CASE d.defaclobjtype
                       WHEN 'r' THEN 'TABLES'
                       WHEN 'S' THEN 'SEQUENCES'
                       WHEN 'f' THEN 'ROUTINES'
                       ELSE 'TYPES'
                   END,
                   coalesce(quote_ident(r.rolname), 'PUBLIC'))
          FROM pg_default_acl d
          JOIN pg_namespace n ON n.oid = d.defaclnamespace
          JOIN pg_roles o ON o.oid = d.defaclrole
         CROSS JOIN LATERAL aclexplode(d.defaclacl) a
          LEFT JOIN pg_roles r ON r.oid = a.grantee
         WHERE n.oid = to_regnamespace('{schema}') AND pg_has_role(o.oid, 'USAGE')
    LOOP
        EXECUTE v_command;
    END LOOP;

    -- Whoever may look into the schema may read the tombstone. Nobody changes it or makes anything
    -- beside it, least of all its owner.
    FOR v_role IN
        SELECT DISTINCT coalesce(quote_ident(r.rolname), 'PUBLIC')
          FROM (SELECT (aclexplode(n.nspacl)).grantee
                  FROM pg_namespace n WHERE n.oid = to_regnamespace('{schema}')
                 UNION
                SELECT (aclexplode(c.relacl)).grantee
                  FROM pg_class c WHERE c.oid = to_regclass('{schema}.tombstone')
                 UNION
                SELECT oid FROM pg_roles WHERE rolname = current_user) g
          LEFT JOIN pg_roles r ON r.oid = g.grantee
    LOOP
        EXECUTE 'REVOKE ALL ON {schema}.tombstone FROM ' || v_role;
        IF pg_has_role((SELECT nspowner FROM pg_namespace
                         WHERE oid = to_regnamespace('{schema}')), 'USAGE') THEN
            EXECUTE 'REVOKE CREATE ON SCHEMA {schema} FROM ' || v_role;
        END IF;
    END LOOP;
    GRANT SELECT ON {schema}.tombstone TO PUBLIC;
END
$$;
